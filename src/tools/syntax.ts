import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { ROOT } from './sources.ts'

/** A node of the syntax tree (ESTree), with whatever its type has. */
export type Node = { type: string; start: number; end: number } & Record<string, unknown>

export interface Parsed {
  /** As in the file, comments included. */
  text: string
  nodes: Node[]
}

/** Every node of a TypeScript file, parents first. @throws Error for a file that does not parse */
export function parseFile(path: string): Parsed {
  return parseText(path, readFileSync(join(ROOT, path), 'utf8'))
}

export function parseText(path: string, text: string): Parsed {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  return { text, nodes: [...below(program)] }
}

function* below(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value) && 'type' in value && typeof value.type === 'string') yield value as Node
  for (const inner of Object.values(value)) yield* below(inner)
}
