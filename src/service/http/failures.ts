import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { api } from '../../contract/index.ts'
import type { ErrorReply } from '../../contract/errors.ts'
import { API_PREFIX, pathPattern } from '../../contract/url.ts'
import { record } from '../../wire/metrics/record.ts'
import { linger } from '../../wire/linger.ts'
import { isAway, isOutOfSpace, isTooSlow } from '../db/faults.ts'
import { ApiError, busy, noRoom, refusal, tookTooLong, unavailable } from '../base/errors.ts'
import { lacksResources } from '../jobs/lacks-resources.ts'

const MAX_DISCARDED_BYTES = 1024 * 1024

/** Every failure is JSON in the contract's shape, including unknown paths and bugs. */
export function registerFailures(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => {
    const path = (request.raw.url ?? '').split('?')[0] ?? ''
    const allowed = methodsOf(path)
    if (allowed.length === 0 || allowed.includes(request.method)) return fail(request, reply, refusal('nothing_here'))
    void reply.header('Allow', allowed.join(', '))
    return fail(request, reply, refusal('method_not_allowed', { methods: allowed.join(', ') }))
  })
  app.setErrorHandler((thrown: FastifyError | ApiError, request, reply) => {
    const error = asRefusal(thrown)
    const place = { method: request.method, route: request.routeOptions.url }
    if (error instanceof ApiError) {
      record('refusals_total', { reason: error.reason })
      if (error.status >= 500) request.log.warn({ err: thrown, status: error.status, ...place }, 'refused')
      void reply.headers(error.headers)
      return fail(request, reply, error)
    }
    const status = error.statusCode ?? 500
    if (status < 500) return fail(request, reply, { status, message: error.message })
    // The log gets the stack, never a request's headers or body.
    request.log.error({ err: error, ...place }, 'unexpected failure')
    return fail(request, reply, refusal('internal_failure'))
  })
}

function asRefusal(error: FastifyError | ApiError): FastifyError | ApiError {
  if (error instanceof ApiError) return error
  if (isAway(error)) return unavailable()
  if (isTooSlow(error)) return tookTooLong()
  if (isOutOfSpace(error)) return noRoom()
  return lacksResources(error) ? busy() : error
}

/** A request with a malformed path, which no hook has seen. */
export function failBadPath(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  void reply.headers({ 'X-Request-Id': request.id, 'Cache-Control': 'private, no-store' })
  void fail(request, reply, refusal('malformed_path'))
}

function methodsOf(path: string): string[] {
  if (!path.startsWith(API_PREFIX)) return []
  const below = path
    .slice(API_PREFIX.length)
    .replace(/\/$/, '')
    .replace(/^\/organizations\/\d+/, '/organization')
  const endpoints = Object.values(api).flatMap((section) => Object.values(section))
  return [
    ...new Set(endpoints.filter((each) => pathPattern(each.path).test(below)).map((each) => each.method as string)),
  ]
}

/** A refusal, or what Fastify says of a request that it cannot read. */
type Failure = Pick<ApiError, 'status' | 'message'> & Partial<Pick<ApiError, 'reason' | 'params' | 'details'>>

function fail(
  request: FastifyRequest,
  reply: FastifyReply,
  { status: code, message, reason, params = {}, details }: Failure,
): FastifyReply {
  const why = { ...(reason && { reason }), ...(Object.keys(params).length > 0 && { params }) }
  const body: ErrorReply = { error: { code, message, ...why, request_id: request.id, ...(details && { details }) } }
  void reply.code(code).type('application/json; charset=UTF-8')
  if (!hasMuchToCome(request)) return reply.serializer(JSON.stringify).send(body)
  const bytes = Buffer.from(JSON.stringify(body))
  void reply.headers({ Connection: 'close', 'Content-Length': bytes.length })
  return reply.send(Readable.from(lingering(bytes, request.raw)))
}

async function* lingering(bytes: Buffer, request: IncomingMessage): AsyncGenerator<Buffer> {
  yield bytes
  await linger(request)
}

/** Node reads and discards the rest of a body, which could be gigabytes for a refused upload. */
function hasMuchToCome({ raw, headers }: FastifyRequest): boolean {
  const isLarge = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > MAX_DISCARDED_BYTES
  return isLarge && !raw.complete
}
