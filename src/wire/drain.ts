import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Reads the rest of a request's body after its reply was sent. A partly read body would block the next request on its
 * connection.
 */
export function drainAfterReply(request: IncomingMessage, reply: ServerResponse): void {
  reply.once('finish', () => {
    if (!request.readableEnded && !request.destroyed) request.resume()
  })
}
