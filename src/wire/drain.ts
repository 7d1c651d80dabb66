import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Reads the rest of a request's body once its reply has gone. A body of which only a part was read stays in the way of the
 * next request on its connection.
 */
export function drainAfterReply(request: IncomingMessage, reply: ServerResponse): void {
  reply.once('finish', () => {
    if (!request.readableEnded && !request.destroyed) request.resume()
  })
}
