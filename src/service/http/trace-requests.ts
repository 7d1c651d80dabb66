import type { FastifyInstance } from 'fastify'
import { beginRequest, endRequest } from '../../wire/traces/request-span.ts'
import { within } from '../../wire/traces/span.ts'
import type { Services } from './context.ts'

const PROBES = new Set(['/healthz', '/readyz'])

/** Only our own proxy, and front servers where that is configured, name the trace of a request. */
export function traceRequests(app: FastifyInstance, { config, clientAddresses }: Services): void {
  const mayContinue = (request: Parameters<typeof clientAddresses.isFromProxy>[0]) =>
    clientAddresses.isFromFrontServer(request)
      ? config.traces?.fromFrontServers === true
      : clientAddresses.isFromProxy(request)
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route, config: about } = request.routeOptions
    // The span of an event stream would last for hours.
    if (about.isStream || (route !== undefined && PROBES.has(route))) return done()
    const span = beginRequest({
      method: request.method,
      route,
      id: request.id,
      remote: mayContinue(request.raw) ? request.headers['traceparent'] : undefined,
    })
    if (span) endRequest(span, reply.raw)
    within(span, done)
  })
}
