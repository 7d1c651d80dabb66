import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** The proxy stands on the same machine and says whom it speaks for; nobody else is believed. */
export function clientIp(request: FastifyRequest): string {
  const peer = request.socket.remoteAddress ?? ''
  const isLocal = peer === '127.0.0.1' || peer === '::1' || peer === '::ffff:127.0.0.1'
  const forwarded = request.headers['x-forwarded-for']
  const said = isLocal && typeof forwarded === 'string' ? forwarded.split(',').at(-1)?.trim() : undefined
  // It ends up in records and on pages: nothing but an address is taken for one.
  return said !== undefined && isIP(said) !== 0 ? said : peer
}
