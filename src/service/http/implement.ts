import { Readable } from 'node:stream'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AnyEndpoint } from '../../contract/endpoint.ts'
import { API_PREFIX } from '../../contract/url.ts'
import { admitScope } from '../access/enter/organization.ts'
import type { Actor } from '../auth/actor.ts'
import type { Db } from '../db/pool.ts'
import { transaction } from '../db/transaction.ts'
import { CountedRefusal, notFound } from '../errors.ts'
import type { Admission } from './admission.ts'
import type { Context, Handler, Services } from './context.ts'
import { eventStream } from './event-stream.ts'
import { type RawInput, readBytes, readInput, readSent } from './read-input.ts'
import { auditRefusal } from './refusals.ts'
import { replySchema } from './reply-schema.ts'

/** Bytes. A smaller body is read and checked within a few milliseconds. */
const LARGE_BODY = 128 * 1024
/** The older form of the organization's paths; `{id}` must be the caller's own (decisions, section 2). */
const ORGANIZATION_ALIAS = '/organizations/:organization_id'

interface Implementation {
  services: Services
  admit: Admission
  endpoint: AnyEndpoint
  handler: Handler<AnyEndpoint>
}

/** Registers one endpoint of the contract: authenticate, read the input, open the transaction, handle, answer. */
export function implement(app: FastifyInstance, implementation: Implementation): void {
  const { endpoint } = implementation
  const url = API_PREFIX + endpoint.path.replace(/\{(\w+)\}/g, ':$1')
  const schema =
    endpoint.reply && !endpoint.jsonLines && !endpoint.eventStream
      ? { response: { [endpoint.success]: replySchema(endpoint.reply) } }
      : {}
  const handle = (request: FastifyRequest, reply: FastifyReply) => answer(implementation, request, reply)
  // A HEAD of an event stream would never end.
  app.route({ method: endpoint.method, url, schema, handler: handle, exposeHeadRoute: !endpoint.eventStream })
  if (endpoint.path.startsWith('/organization')) {
    app.route({
      method: endpoint.method,
      url: url.replace('/organization', ORGANIZATION_ALIAS),
      schema,
      handler: handle,
    })
  }
}

async function answer(
  { services, admit, endpoint, handler }: Implementation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { db, clock } = services
  const caller = {
    headers: request.headers,
    ip: services.clientAddresses.find(request),
    request_id: request.id,
    now: clock(),
  }
  const { actor, headers } = await admit(caller)
  reply.headers(headers)
  const { organization_id, ...params } = request.params as Record<string, string>
  if (organization_id !== undefined && organization_id !== String(actor.organization_id)) throw notFound()

  const raw = {
    params,
    queryString: queryOf(request.raw.url ?? ''),
    body: endpoint.raw ? Buffer.alloc(0) : await readBytes(request.raw),
  }
  try {
    return await serve(services, endpoint, handler, { actor, raw, request, reply })
  } catch (error) {
    await auditRefusal(request, { db, endpoint, actor, raw, error })
    throw error
  }
}

/** Everything after the first question mark: a second one is part of a value. */
function queryOf(url: string): string {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}

interface Asked {
  actor: Actor
  raw: RawInput
  request: FastifyRequest
  reply: FastifyReply
}

async function serve(
  services: Services,
  endpoint: AnyEndpoint,
  handler: Handler<AnyEndpoint>,
  asked: Asked,
): Promise<unknown> {
  const { db } = services
  const { raw, request, reply } = asked
  const actor = admitScope(asked.actor, endpoint)
  if (raw.body.length > LARGE_BODY) {
    readSent(endpoint, raw)
    // A large body is validated in a separate turn of the event loop.
    await othersTurn()
  }
  const input = readInput(endpoint, raw)
  const context: Omit<Context, 'db'> = {
    actor,
    services,
    body: { stream: request.raw, declaredSize: declaredSize(request) },
    setHeaders: (headers) => void reply.headers(headers),
  }
  const runsInTransaction = endpoint.method !== 'GET' && !endpoint.raw
  const result = runsInTransaction
    ? await change(db, (tx) => handler({ ...context, db: tx }, input))
    : await handler({ ...context, db }, input)
  if (!endpoint.reply) return reply.code(endpoint.success).send()
  if (endpoint.jsonLines) {
    const lines = Readable.from(asText(result as AsyncIterable<unknown>), { objectMode: false })
    return reply.code(endpoint.success).type('application/x-ndjson; charset=UTF-8').send(lines)
  }
  if (endpoint.eventStream) {
    // No intermediary may buffer or compress events.
    reply.headers({ 'Cache-Control': 'private, no-store, no-transform', 'X-Accel-Buffering': 'no' })
    return reply
      .code(endpoint.success)
      .type('text/event-stream; charset=UTF-8')
      .send(eventStream((result as AsyncIterable<unknown>)[Symbol.asyncIterator]()))
  }
  return reply.code(endpoint.success).type('application/json; charset=UTF-8').send(result)
}

/** Runs the work in one transaction. A failure rolls it back, except a CountedRefusal. */
async function change<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  const result = await transaction(db, (tx) =>
    work(tx).catch((error: unknown) => {
      if (error instanceof CountedRefusal) return error
      throw error
    }),
  )
  if (result instanceof CountedRefusal) throw result
  return result
}

async function* asText(lines: AsyncIterable<unknown>): AsyncIterable<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`
}

function declaredSize(request: FastifyRequest): number | undefined {
  const length = request.headers['content-length']
  return length === undefined ? undefined : Number(length)
}
