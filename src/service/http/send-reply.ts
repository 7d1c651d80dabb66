import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnyEndpoint } from '../../contract/endpoint.ts'
import { inTurns, nextTurn } from '../base/turns.ts'
import { etagOf } from './conditional.ts'
import { eventStream } from './event-stream.ts'
import { isLong, type Outline, outlineOf, type Serializers, serializing } from './long-reply.ts'
import { replySchema } from './reply-schema.ts'

/** Characters of JSON lines that are sent together. */
const LINES_TOGETHER = 64 * 1024

export interface Sender {
  /** For Fastify, which serializes the replies that are not long. */
  schema: object
  send(request: FastifyRequest, reply: FastifyReply, result: unknown): unknown
}

export function createSender(endpoint: AnyEndpoint): Sender {
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
      return outline && isLong(outline, result) ? sendLong(request, reply, outline, result) : reply.send(result)
    },
  }
}

async function sendLong(request: FastifyRequest, reply: FastifyReply, outline: Outline, result: unknown) {
  const serializers: Serializers = (schema) => reply.compileSerializationSchema(schema) as ReturnType<Serializers>
  const { bytes, sha1 } = await inTurns(serializing(outline, result, serializers))
  if (request.method === 'GET') reply.header('ETag', etagOf(sha1))
  return reply.send(bytes)
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
