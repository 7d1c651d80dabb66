import type { ServerResponse } from 'node:http'
import { beginSpan, type Span } from './span.ts'

interface Request {
  method: string
  /** A registered route or a part of the site, never the path as sent. */
  route: string | undefined
  id: string
  /** The `traceparent` of a sender whose traces are continued. */
  remote: string | string[] | undefined
}

export function beginRequest({ method, route, id, remote }: Request): Span | undefined {
  return beginSpan(route === undefined ? method : `${method} ${route}`, {
    kind: 'server',
    remote: typeof remote === 'string' ? remote : undefined,
    attributes: {
      'http.request.method': method,
      ...(route !== undefined && { 'http.route': route }),
      'strongroom.request_id': id,
    },
  })
}

/** Ends the span with its reply, or when the client has gone. */
export function endRequest(span: Span, reply: ServerResponse): void {
  reply.on('close', () => {
    const { statusCode: status } = reply
    const error = status >= 500 ? String(status) : reply.writableFinished ? undefined : 'broken off'
    span.end({ 'http.response.status_code': status }, error)
  })
}
