import { hash } from 'node:crypto'
import type { DoneFuncWithErrOrRes, FastifyReply, FastifyRequest } from 'fastify'

/** @param sha1 of the reply's bytes, in base64url */
export const etagOf = (sha1: string): string => `W/"${sha1}"`

/** Weak ETag and 304 for GET replies (decisions, section 1). A long reply brings its ETag. */
export function conditional(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: DoneFuncWithErrOrRes,
): void {
  done(null, unlessKnown(request, reply, payload))
}

function unlessKnown(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (request.method !== 'GET' || reply.statusCode !== 200) return payload
  if (typeof payload === 'string') reply.header('ETag', etagOf(hash('sha1', payload, 'base64url')))
  else if (!Buffer.isBuffer(payload)) return payload
  if (!isKnown(request, String(reply.getHeader('ETag')))) return payload
  reply.code(304).removeHeader('Content-Type').removeHeader('Content-Length')
  return ''
}

/** Whether the client of a GET has the reply with this ETag. */
export function isKnown({ method, headers }: FastifyRequest, etag: string): boolean {
  if (method !== 'GET') return false
  const known = headers['if-none-match']?.split(',').map((each) => each.trim())
  return known !== undefined && (known.includes(etag) || known.includes('*'))
}
