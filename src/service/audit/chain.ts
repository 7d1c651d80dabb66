import { createHash } from 'node:crypto'

/** The `previous` hash of the first record. */
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

/** The owner of a trail: a workspace, or an organization for what happens outside of its workspaces. */
export type Owner = { workspace_id: number } | { organization_id: number }

/** Drops everything but the owner. */
export function ownerOf(owned: Owner): Owner {
  return 'workspace_id' in owned ? { workspace_id: owned.workspace_id } : { organization_id: owned.organization_id }
}

export type Link = Owner & {
  seq: number
  /** Hash of the previous record, or GENESIS. */
  previous: string
  entry: unknown
}

/** 64 hex characters. */
export function hashOf(link: Link): string {
  const { seq, previous, entry } = link
  return sha256(canonical({ ...ownerOf(link), seq, previous, entry }))
}

/** The end of a chain at some moment. */
export type Mark = Owner & {
  seq: number
  hash: string
  signed_at: string
}

/** Returns the text to sign. It includes the kind, so that a checkpoint cannot pass for the head of an export. */
export function statementOf(kind: 'checkpoint' | 'head', mark: Mark): string {
  const { seq, hash, signed_at } = mark
  return `strongroom-audit/1 ${canonical({ kind, ...ownerOf(mark), seq, hash, signed_at })}`
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
