import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnyEndpoint } from '../../contract/endpoint.ts'
import { inTurns, nextTurn } from '../base/turns.ts'
import { etagOf, isKnown } from './conditional.ts'
import { type Services, Versioned } from './context.ts'
import { eventStream } from './event-stream.ts'
import { isLong, type LongJson, type Outline, outlineOf, type Serializers, serializing } from './long-reply.ts'
import { keyOf, type ReplyMemory } from './reply-memory.ts'
import { replySchema } from './reply-schema.ts'

/** Characters of JSON lines that are sent together. */
const LINES_TOGETHER = 64 * 1024

const NOTHING = Buffer.alloc(0)

export interface Sender {
  /** For Fastify, which serializes the replies that are not long. */
  schema: object
  send(request: FastifyRequest, reply: FastifyReply, result: unknown): unknown
}

export function createSender(
  endpoint: AnyEndpoint,
  memory: ReplyMemory,
  { replica }: Pick<Services, 'replica'>,
): Sender {
  const { success } = endpoint
  if (!endpoint.reply) return { schema: {}, send: (_request, reply) => reply.code(success).send() }
  if (endpoint.jsonLines) return { schema: {}, send: (_request, reply, lines) => sendLines(reply.code(success), lines) }
  if (endpoint.eventStream)
    return { schema: {}, send: (_request, reply, events) => sendEvents(reply.code(success), events) }
  const schema = replySchema(endpoint.reply)
  const outline = outlineOf(schema)
  return {
    schema: { response: { [success]: schema } },
    send(request, reply, result) {
      reply.code(success).type('application/json; charset=UTF-8')
      if (outline && result instanceof Versioned) {
        const key = result.state === undefined ? undefined : keyOf(`${endpoint.path} ${result.state}`)
        const write = async () => writeLong(reply, outline, await replica.read((db) => result.make(db)))
        return sendRemembered(request, reply, { memory, key, write })
      }
      return outline && isLong(outline, result) ? sendLong(request, reply, outline, result) : reply.send(result)
    },
  }
}

async function sendLong(request: FastifyRequest, reply: FastifyReply, outline: Outline, result: unknown) {
  return sendJson(request, reply, await writeLong(reply, outline, result))
}

function writeLong(reply: FastifyReply, outline: Outline, result: unknown): Promise<LongJson> {
  const serializers: Serializers = (schema) => reply.compileSerializationSchema(schema) as ReturnType<Serializers>
  return inTurns(serializing(outline, result, serializers))
}

function sendJson(request: FastifyRequest, reply: FastifyReply, { bytes, sha1 }: LongJson): FastifyReply {
  if (request.method === 'GET') reply.header('ETag', etagOf(sha1))
  return reply.send(bytes)
}

/** A reply whose hash alone is remembered still serves a client that has it. */
async function sendRemembered(
  request: FastifyRequest,
  reply: FastifyReply,
  { memory, key, write }: { memory: ReplyMemory; key: string | undefined; write: () => Promise<LongJson> },
) {
  const known = key === undefined ? undefined : memory.find(key)
  const bytes = known?.bytes ?? (known && isKnown(request, etagOf(known.sha1)) ? NOTHING : undefined)
  if (known && bytes) return sendJson(request, reply, { bytes, sha1: known.sha1 })
  const json = await write()
  if (key !== undefined) memory.keep(key, json)
  return sendJson(request, reply, json)
}

function sendLines(reply: FastifyReply, lines: unknown): FastifyReply {
  const text = Readable.from(asText(lines as AsyncIterable<unknown>), { objectMode: false })
  return reply.type('application/x-ndjson; charset=UTF-8').send(text)
}

async function* asText(lines: AsyncIterable<unknown>): AsyncIterable<string> {
  let text = ''
  for await (const line of lines) {
    text += `${JSON.stringify(line)}\n`
    if (text.length < LINES_TOGETHER) continue
    yield text
    text = ''
    await nextTurn()
  }
  if (text !== '') yield text
}

function sendEvents(reply: FastifyReply, events: unknown): FastifyReply {
  // No intermediary may buffer or compress events.
  return reply
    .headers({ 'Cache-Control': 'private, no-store, no-transform', 'X-Accel-Buffering': 'no' })
    .type('text/event-stream; charset=UTF-8')
    .send(eventStream((events as AsyncIterable<unknown>)[Symbol.asyncIterator]()))
}
