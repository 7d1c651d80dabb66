import { createHash } from 'node:crypto'
import type { Work } from '../../wire/work.ts'
import { JsonList } from '../db/json-list.ts'
import type { JsonSchema } from './reply-schema.ts'

/** List elements that are serialized within a few milliseconds. */
const LONG = 250

/** Returns the serializer of a schema, the same one for the same schema. */
export type Serializers = (schema: JsonSchema) => (value: unknown) => string

/** Where a reply schema has lists. */
export type Outline = { element: JsonSchema; within: Outline | undefined } | { properties: Property[] }
interface Property {
  name: string
  schema: JsonSchema
  isRequired: boolean
  outline: Outline | undefined
}

/** Returns undefined for a schema without lists. Lists in alternatives and in maps are not looked for. */
export function outlineOf(schema: JsonSchema): Outline | undefined {
  const { items, properties, required = [] } = schema
  if (items) return { element: items, within: outlineOf(items) }
  if (!properties) return undefined
  const all = Object.entries(properties).map(([name, each]) => {
    return { name, schema: each, isRequired: required.includes(name), outline: outlineOf(each) }
  })
  if (!all.some(({ outline }) => outline)) return undefined
  // Fastify's serializer writes the required properties first.
  return { properties: all.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired)) }
}

export function isLong(outline: Outline, value: unknown): boolean {
  return countElements(outline, value) > LONG
}

function countElements(outline: Outline | undefined, value: unknown): number {
  if (!outline || typeof value !== 'object' || value === null) return 0
  // Fastify's serializer does not know it.
  if (value instanceof JsonList) return Number.POSITIVE_INFINITY
  if (Array.isArray(value)) {
    if (!('element' in outline)) return 0
    const { within } = outline
    return within ? value.reduce<number>((sum, each) => sum + 1 + countElements(within, each), 0) : value.length
  }
  if (!('properties' in outline)) return 0
  let count = 0
  for (const { name, outline: inner } of outline.properties) {
    if (inner) count += countElements(inner, (value as Record<string, unknown>)[name])
  }
  return count
}

/** Characters that are encoded and hashed together. */
const CHUNK = 64 * 1024
/** A piece of this many characters is a chunk of its own: to put it together with others would copy it once more. */
const LARGE = 16 * 1024

/** Bytes of a JSON text, with their SHA-1. */
export interface LongJson {
  bytes: Buffer
  sha1: string
}

/** Writes the same JSON as the serializer of the whole schema. */
export function* serializing(outline: Outline, value: unknown, serializers: Serializers): Work<LongJson> {
  const chunks: string[] = []
  let size = 0
  let text = ''
  const add = (chunk: string) => {
    size += Buffer.byteLength(chunk)
    chunks.push(chunk)
  }
  for (const piece of piecesOf(outline, value, serializers)) {
    const isLarge = piece.length >= LARGE
    if (!isLarge) text += piece
    if (isLarge || text.length >= CHUNK) {
      add(text)
      text = ''
    }
    if (isLarge) add(piece)
    yield
  }
  add(text)
  return yield* encoding(chunks, size)
}

/** Encodes and hashes texts. Makes one buffer only: the collection of buffers counts in the price of a list. */
function* encoding(chunks: readonly string[], size: number): Work<LongJson> {
  const bytes = Buffer.allocUnsafeSlow(size)
  const hash = createHash('sha1')
  let end = 0
  for (const chunk of chunks) {
    const start = end
    end += bytes.write(chunk, start)
    hash.update(bytes.subarray(start, end))
    yield
  }
  return { bytes, sha1: hash.digest('base64url') }
}

function* piecesOf(outline: Outline, value: unknown, serializers: Serializers): Generator<string> {
  if (value instanceof JsonList) return yield* piecesOfList(value)
  if ('element' in outline) {
    const { element, within } = outline
    const serialize = serializers(element)
    let separator = '['
    for (const each of value as unknown[]) {
      if (within && isLong(within, each)) {
        yield separator
        yield* piecesOf(within, each, serializers)
      } else yield separator + serialize(each)
      separator = ','
    }
    return yield separator === '[' ? '[]' : ']'
  }
  let separator = '{'
  for (const { name, schema, isRequired, outline: inner } of outline.properties) {
    const each = (value as Record<string, unknown>)[name]
    if (each === undefined && isRequired) throw new Error(`The reply has no ${name}.`)
    if (each === undefined) continue
    yield `${separator}${JSON.stringify(name)}:`
    separator = ','
    if (inner && isLong(inner, each)) yield* piecesOf(inner, each, serializers)
    else yield serializers(schema)(each)
  }
  yield separator === '{' ? '{}' : '}'
}

function* piecesOfList({ texts }: JsonList): Generator<string> {
  let separator = '['
  for (const text of texts) {
    yield separator
    separator = ','
    yield text
  }
  yield separator === '[' ? '[]' : ']'
}
