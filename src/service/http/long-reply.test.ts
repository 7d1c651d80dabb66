import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { finish } from '../../wire/work.ts'
import type { AnyEndpoint } from '../../contract/endpoint.ts'
import { exampleOf } from '../../contract/example.ts'
import { api } from '../../contract/index.ts'
import { isLong, outlineOf, type Serializers, serializing } from './long-reply.ts'
import { type JsonSchema, replySchema } from './reply-schema.ts'

type Example = Parameters<typeof exampleOf>[0]

const replies = Object.entries(api).flatMap(([section, endpoints]) =>
  Object.entries<AnyEndpoint>(endpoints).flatMap(([key, { reply, jsonLines, eventStream }]) =>
    reply && !jsonLines && !eventStream
      ? [{ name: `${section}.${key}`, schema: replySchema(reply), example: exampleOf(withoutNull(replySchema(reply))) }]
      : [],
  ),
)

/** `type: ['string', 'null']` becomes `type: 'string'`. */
function withoutNull(schema: JsonSchema): Example {
  const plain = (key: string, value: unknown) =>
    key === 'type' && Array.isArray(value) ? value.find((each) => each !== 'null') : value
  return JSON.parse(JSON.stringify(schema), plain) as Example
}

/** The example of a reply with lists of some length, then of the lengths within their elements. */
function withLists(value: unknown, lengths: readonly number[]): unknown {
  const [length = 1, ...within] = lengths
  if (Array.isArray(value)) return Array(length).fill(withLists(value[0], within))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withLists(each, lengths)]))
}

/** Fastify's serializers. */
async function openSerializers(): Promise<{ serializers: Serializers; close(): Promise<void> }> {
  const app = Fastify()
  let serializers: Serializers | undefined
  app.get('/', (_request, reply) => {
    serializers = (schema) => reply.compileSerializationSchema(schema) as ReturnType<Serializers>
    return reply.send()
  })
  await app.inject('/')
  if (!serializers) throw new Error('Fastify did not answer.')
  return { serializers, close: () => app.close() }
}

const LENGTHS = [
  [0, 0],
  [1, 1],
  [300, 2],
  [3, 300],
]

describe('K25: a long reply is written piece by piece', () => {
  const lists = replies.filter(({ schema }) => outlineOf(schema))

  test('as the same JSON as a short one, for every endpoint', async () => {
    const { serializers, close } = await openSerializers()
    expect(lists.length).toBeGreaterThan(20)
    for (const { name, schema, example } of lists) {
      for (const lengths of LENGTHS) {
        const outline = outlineOf(schema)!
        const value = withLists(example, lengths)
        const { bytes } = finish(serializing(outline, value, serializers))
        expect({ name, json: bytes.toString() }).toEqual({ name, json: serializers(schema)(value) })
      }
    }
    await close()
  })

  test('and has a pause after each element of every list', async () => {
    const { serializers, close } = await openSerializers()
    for (const { name, schema, example } of lists) {
      const outline = outlineOf(schema)!
      const value = withLists(example, [300])
      expect({ name, isLong: isLong(outline, value) }).toEqual({ name, isLong: true })
      const work = serializing(outline, value, serializers)
      let pauses = 0
      while (!work.next().done) pauses++
      expect(pauses).toBeGreaterThan(300)
    }
    await close()
  })

  test('unless its lists are short together', () => {
    const schema: JsonSchema = {
      properties: { rows: { items: { properties: { groups: { items: { type: 'integer' } } } } }, total: {} },
    }
    const outline = outlineOf(schema)!
    const rows = (count: number, groups: number) =>
      Array.from({ length: count }, () => ({ groups: Array(groups).fill(1) }))
    expect(isLong(outline, { rows: rows(10, 20), total: 3 })).toBe(false)
    expect(isLong(outline, { rows: rows(10, 30), total: 3 })).toBe(true)
    expect(isLong(outline, { rows: rows(300, 0), total: 3 })).toBe(true)
    expect(isLong(outline, { rows: null })).toBe(false)
  })

  test('refuses an incomplete reply, as for a short one', () => {
    const outline = outlineOf({ properties: { rows: { items: {} }, total: {} }, required: ['total'] })!
    expect(() => finish(serializing(outline, { rows: [] }, () => JSON.stringify))).toThrow('total')
  })
})
