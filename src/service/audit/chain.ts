import { createHash } from 'node:crypto'

/** What comes before the first record. */
export const GENESIS = '0'.repeat(64)

/** The same value always gives the same text: keys in order, no white space, control characters escaped. */
export function canonical(value: unknown): string {
  return JSON.stringify(inOrder(value))
}

/** A copy whose keys are in order, so that `JSON.stringify` writes it canonically. */
export function inOrder<T>(value: T): T {
  if (Array.isArray(value)) return value.map(inOrder) as T
  if (typeof value !== 'object' || value === null) return value
  const pairs = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(pairs.map(([key, each]) => [key, inOrder(each)])) as T
}

export interface Link {
  workspace_id: number
  seq: number
  /** Hash of the record before, or GENESIS. */
  previous: string
  entry: unknown
}

/** 64 hex characters. */
export function hashOf({ workspace_id, seq, previous, entry }: Link): string {
  return createHash('sha256').update(canonical({ workspace_id, seq, previous, entry })).digest('hex')
}

/** How far a chain goes. */
export interface Mark {
  workspace_id: number
  seq: number
  hash: string
  signed_at: string
}

/** What is signed. A checkpoint cannot pass for the head of an export: the kind is part of it. */
export function statementOf(kind: 'checkpoint' | 'head', { workspace_id, seq, hash, signed_at }: Mark): string {
  return `strongroom-audit/1 ${canonical({ kind, workspace_id, seq, hash, signed_at })}`
}
