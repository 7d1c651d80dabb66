import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AnyEndpoint, type Input } from '../../contract/endpoint.ts'
import { API_PREFIX } from '../../contract/url.ts'
import { HEADERS } from '../../signing/signature.ts'
import { type Arrival, arriveAt } from '../access/enter/arrival.ts'
import { admitScope } from '../access/enter/organization.ts'
import type { Actor } from '../auth/actor.ts'
import type { Db } from '../db/pool.ts'
import { retrying, transaction } from '../db/transaction.ts'
import { CountedRefusal, notFound, refusal } from '../base/errors.ts'
import { inTurns } from '../base/turns.ts'
import { type Admission, isProxy } from './admission.ts'
import {
  type Context,
  type Handler,
  isFromReplica,
  isInOwnTransaction,
  isOneStatement,
  type Services,
} from './context.ts'
import { type Naming, namingBy } from './input/named-by.ts'
import { type RawInput, readBytes, readInput, readingInput } from './input/read-input.ts'
import { readSoon } from '../base/read-soon.ts'
import { auditRefusal } from './refusals.ts'
import type { ReplyMemory } from './reply-memory.ts'
import { createSender, type Sender } from './send-reply.ts'
import type { UserQueues } from './user-queues.ts'

/** Bytes. A smaller body is read and checked within a few milliseconds. */
const LARGE_BODY = 32 * 1024
/** A body of up to so many bytes that arrives at once is read before its sender is known. */
const EARLY_BYTES = 4096
/** The older form of the organization's paths; `{id}` must be the caller's own (decisions, section 2). */
const ORGANIZATION_ALIAS = '/organizations/:organization_id'

interface Implementation {
  services: Services
  admit: Admission
  queues: UserQueues
  memory: ReplyMemory
  endpoint: AnyEndpoint
  name: string
  handler: Handler<AnyEndpoint>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: string
    isStream?: boolean
  }
}

/** An endpoint with what is prepared once for all of its requests. */
interface Prepared extends Implementation {
  sender: Sender
  naming: Naming
}

/** Registers one endpoint of the contract: authenticate, read the input, open the transaction, handle, answer. */
export function implement(app: FastifyInstance, implementation: Implementation): void {
  const { endpoint, memory, services, name } = implementation
  const url = API_PREFIX + endpoint.path.replace(/\{(\w+)\}/g, ':$1')
  const prepared = { ...implementation, sender: createSender(endpoint, memory, services), naming: namingBy(endpoint) }
  const { schema } = prepared.sender
  const handle = (request: FastifyRequest, reply: FastifyReply) => answerInOrder(prepared, request, reply)
  const config = { endpoint: name, isStream: endpoint.eventStream === true }
  // A HEAD of an event stream would never end.
  app.route({ method: endpoint.method, url, schema, config, handler: handle, exposeHeadRoute: !endpoint.eventStream })
  if (endpoint.path.startsWith('/organization')) {
    app.route({
      method: endpoint.method,
      url: url.replace('/organization', ORGANIZATION_ALIAS),
      schema,
      config,
      handler: handle,
    })
  }
}

/** Uploads and event streams last long, and take little meanwhile. The proxy signs all users in with one token. */
function answerInOrder(prepared: Prepared, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { services, queues, endpoint } = prepared
  const { headers } = request
  const at = { now: services.clock(), arrived: services.pauses.earliestArrival() }
  const work = () => answer(prepared, { request, reply, at })
  if (endpoint.raw || endpoint.eventStream || isProxy(services.config, { headers })) return work()
  return queues.run(String(headers[HEADERS.token]), reply.raw, work)
}

async function answer(
  { services, admit, naming, endpoint, handler, sender }: Prepared,
  { request, reply, at }: { request: FastifyRequest; reply: FastifyReply; at: { now: Date; arrived: number } },
): Promise<void> {
  const { db, clock } = services
  const caller = {
    headers: request.headers,
    ip: services.clientAddresses.find(request),
    request_id: request.id,
    // The signature may expire while the request waits in its user's queue.
    now: at.now,
  }
  const { organization_id, ...params } = request.params as Record<string, string>
  const raw: RawInput = { params, queryString: queryOf(request.raw.url ?? ''), body: Buffer.alloc(0) }
  const early = await readEarly(endpoint, raw, request.raw)
  const named = early?.input && naming(early.input)
  const arrival = named && arriveAt(named)
  const { actor, headers } = await admit(caller, arrival?.find)
  Object.assign(actor, { now: clock(), arrived: at.arrived })
  reply.headers(headers)
  if (organization_id !== undefined && organization_id !== String(actor.organization_id)) throw notFound()

  if (!early) raw.body = await readBytes(request.raw)
  // A node that was frozen or cut off reads requests late. Their clients may have made another change since.
  if (endpoint.method !== 'GET' && reply.raw.destroyed) throw refusal('client_gone')
  try {
    const result = await serve(services, endpoint, handler, { actor, arrival, early, raw, request, reply })
    if (isChange(endpoint)) services.announce()
    await sender.send(request, reply, result)
  } catch (error) {
    await auditRefusal(request, { db, endpoint, actor, raw, error })
    throw error
  }
  // Until the client has taken the reply, the request keeps its place in the user's queue.
  if (!reply.raw.writableFinished && !reply.raw.closed) await untilClosed(reply.raw)
}

/** Costs a fraction of `finished` of Node's streams. */
const untilClosed = (reply: ServerResponse): Promise<void> =>
  new Promise((resolve) => void reply.once('close', resolve))

/** Everything after the first question mark: a second one is part of a value. */
function queryOf(url: string): string {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}

interface Early {
  input?: Input<AnyEndpoint>
  /** The refusal of the input, for authenticated callers only. */
  error?: unknown
}

/**
 * Reads the input before its sender is known, so that one statement can authenticate and enter. Returns undefined if the
 * body is large or slow: then its sender must be known first.
 */
async function readEarly(endpoint: AnyEndpoint, raw: RawInput, request: IncomingMessage): Promise<Early | undefined> {
  if (!endpoint.raw) {
    // Node passes a request on before it reads the body that arrived with the head.
    await undefined
    const body = await readSoon(request, EARLY_BYTES)
    if (!body) return undefined
    raw.body = body
  }
  try {
    return { input: readInput(endpoint, raw) }
  } catch (error) {
    return { error }
  }
}

interface Asked {
  actor: Actor
  arrival: Arrival | undefined
  early: Early | undefined
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
  const { db, replica } = services
  const { raw, request, reply } = asked
  const actor = admitScope(asked.actor, endpoint)
  const input = asked.early ? inputOf(asked.early) : await readLate(endpoint, raw)
  asked.arrival?.remember(actor)
  const context: Context = {
    db,
    actor,
    services,
    body: { stream: request.raw, declaredSize: declaredSize(request) },
    setHeaders: (headers) => void reply.headers(headers),
    clientOfProxy: () => services.clientAddresses.behindOurProxy(request),
  }
  if (isFromReplica(handler)) return replica.read((at) => handler({ ...context, db: at }, input))
  if (!isChange(endpoint) || endpoint.raw || isInOwnTransaction(handler)) return handler(context, input)
  if (isOneStatement(handler)) return retrying(() => handler(context, input))
  return change(db, (tx) => handler({ ...context, db: tx }, input))
}

const isChange = ({ method, reads }: AnyEndpoint): boolean => method !== 'GET' && !reads

function inputOf({ input, error }: Early): Input<AnyEndpoint> {
  if (!input) throw error
  return input
}

const readLate = (endpoint: AnyEndpoint, raw: RawInput): Promise<Input<AnyEndpoint>> | Input<AnyEndpoint> =>
  raw.body.length > LARGE_BODY ? inTurns(readingInput(endpoint, raw)) : readInput(endpoint, raw)

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

function declaredSize(request: FastifyRequest): number | undefined {
  const length = request.headers['content-length']
  return length === undefined ? undefined : Number(length)
}
