import type { Socket } from 'node:net'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { sql } from 'kysely'
import type { AnyEndpoint } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { noteReply, refuseBadBytes } from '../../wire/bad-bytes.ts'
import { drainAfterReply } from '../../wire/drain.ts'
import { faultOf } from '../../wire/faulty-head.ts'
import { isRecording, record, statusClass } from '../../wire/metrics/record.ts'
import { requestIdOf } from '../../wire/request-id.ts'
import { isTracing } from '../../wire/traces/span.ts'
import { ApiError, busy } from '../base/errors.ts'
import { endpoints } from './handlers.ts'
import { createAdmission } from './admission.ts'
import { conditional } from './conditional.ts'
import { registerContent } from './content.ts'
import type { Handler, Services } from './context.ts'
import { failBadPath, registerFailures } from './failures.ts'
import { implement } from './implement.ts'
import { registerReference } from './reference/reference.ts'
import { createReplyMemory } from './reply-memory.ts'
import { registerSealedKey } from './sealed-key.ts'
import { createStorageWarning } from './storage-warning.ts'
import { traceRequests } from './trace-requests.ts'
import { createUserQueues } from './user-queues.ts'

/** Milliseconds after which an idle connection is closed: longer than any answer may take. */
export const STILL_MS = 600_000

export function createServer(services: Services): FastifyInstance {
  const app = Fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    // A request that arrives while the service stops is answered normally, and its connection then closes.
    return503OnClosing: false,
    genReqId: (request) =>
      requestIdOf(request.headers['x-request-id'], () => services.clientAddresses.isFromProxy(request)),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    frameworkErrors: failBadPath,
    clientErrorHandler: refuseBadBytes,
    // An upload may take hours; headers must arrive quickly, and no connection may stay idle.
    requestTimeout: 0,
    connectionTimeout: STILL_MS,
    http: { headersTimeout: 20_000, connectionsCheckingInterval: 5000, requireHostHeader: false },
    // Only read-input.ts reads queries.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2000, querystringParser: () => ({}) },
  })
  refuseFaultyHeads(app)
  readBodiesOurselves(app)
  registerFailures(app)
  registerHealth(app, services)
  registerContent(app, services)
  registerSealedKey(app, services)
  registerReference(app)
  const admit = createAdmission(services)
  const queues = createUserQueues(undefined, services.siblings.count)
  const memory = createReplyMemory(services.siblings.count)
  for (const [name, section] of Object.entries(api)) {
    for (const [key, endpoint] of Object.entries(section)) {
      implement(app, {
        services,
        admit,
        queues,
        memory,
        endpoint: endpoint as AnyEndpoint,
        name: `${name}.${key}`,
        handler: handlerOf(name, key),
      })
    }
  }
  app.addHook('onSend', conditional)
  noteTraffic(app, services)
  if (isRecording()) recordRequests(app)
  if (isTracing()) traceRequests(app, services)
  if (services.config.log === 'debug') logRequests(app)
  if (services.config.slot !== undefined) spreadConnections(app, services)
  // Event streams would not end by themselves.
  app.addHook('preClose', () => services.followers.close())
  return app
}

/** The types of handlers.ts guarantee that each handler exists. */
function handlerOf(section: string, key: string): Handler<AnyEndpoint> {
  return (endpoints as unknown as Record<string, Record<string, Handler<AnyEndpoint>>>)[section]?.[
    key
  ] as Handler<AnyEndpoint>
}

/** Runs before anything else; Node's own refusal would not have the contract's shape. */
function refuseFaultyHeads(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, reply) => app.routing(request, reply))
  app.addHook('onRequest', (request, reply, done) => {
    noteReply(reply.raw)
    drainAfterReply(request.raw, reply.raw)
    reply.headers({
      'X-Request-Id': request.id,
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    })
    const fault = faultOf(request.raw)
    if (!fault) return done()
    const reason = fault.status === 417 ? 'expectation_failed' : 'malformed_head'
    done(new ApiError(reason, { problem: fault.message }, { headers: { Connection: 'close' } }))
  })
}

/** Reads bodies after authentication, whatever Content-Type clients send (decisions, section 2). */
function readBodiesOurselves(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('onRequest', (request, _reply, done) => {
    // A deletion would make all later look-ups of headers slower.
    request.headers['content-type'] = undefined
    done()
  })
}

/** When another process joins, connections end with their next reply, so that those that follow are spread over all. */
function spreadConnections(app: FastifyInstance, { siblings }: Services): void {
  let joined = 0
  const joinedBefore = new WeakMap<Socket, number>()
  siblings.onJoin(() => joined++)
  app.server.on('connection', (socket) => joinedBefore.set(socket, joined))
  app.addHook('onRequest', (request, reply, done) => {
    if (joinedBefore.get(request.socket) !== joined) reply.header('Connection', 'close')
    done()
  })
}

/** Any request may have left work to the worker: entries of the audit trail if nothing else. Health probes leave none. */
function noteTraffic(app: FastifyInstance, { hint, marker }: Services): void {
  app.addHook('onResponse', (request, _reply, done) => {
    if (!PROBES.has(request.url)) {
      hint()
      marker.noteUser()
    }
    done()
  })
}

function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { url: route } = request.routeOptions
    const ms = Math.round(reply.elapsedTime)
    request.log.debug({ method: request.method, route, status: reply.statusCode, ms }, 'answered')
    done()
  })
}

/** Labels are names of the contract or registered routes, never paths as sent. */
function recordRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { config, url = 'none' } = request.routeOptions
    const endpoint = config.endpoint ?? url
    const status = statusClass(reply.statusCode)
    record('http_request_duration_seconds', { endpoint, status }, reply.elapsedTime / 1000)
    done()
  })
}

const PROBES = new Set(['/healthz', '/readyz'])

function registerHealth(app: FastifyInstance, services: Services): void {
  const { db, clientAddresses, blobs } = services
  const storageWarnings = createStorageWarning(blobs)
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    if (services.isDraining) throw busy()
    await sql`select 1`.execute(db)
    const warnings = [...clientAddresses.warnings(), ...(await storageWarnings())]
    return { status: 'ready', ...(warnings.length > 0 && { warnings }) }
  })
}
