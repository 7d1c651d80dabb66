import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { ROOT } from './sources.ts'

/** A node of the syntax tree (ESTree), with the fields of its type. */
export type Node = Span & { type: string } & Record<string, unknown>

export interface Parsed {
  /** The text of the file, with comments. */
  text: string
  nodes: Node[]
  comments: Span[]
}

/** Offsets in the text of a file. */
export interface Span {
  start: number
  end: number
}

/** Parses a TypeScript file into all its nodes, parents first. @throws Error for a file that does not parse */
export function parseFile(path: string): Parsed {
  return parseText(path, readFileSync(join(ROOT, path), 'utf8'))
}

export function parseText(path: string, text: string): Parsed {
  const { program, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  return { text, nodes: [...below(program)], comments }
}

function* below(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value) && 'type' in value && typeof value.type === 'string') yield value as Node
  for (const inner of Object.values(value)) yield* below(inner)
}
