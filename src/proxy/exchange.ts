import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BlockList } from 'node:net'
import { isIPv6 } from 'node:net'
import type { Log } from '../wire/log.ts'

/** One request and its reply, with what every part of the proxy needs to know about it. */
export interface Exchange {
  request: IncomingMessage
  reply: ServerResponse
  id: string
  method: string
  /** As sent, without the query. */
  path: string
  /** Address of the person's end. */
  ip: string
  /** Headers that every reply has. */
  headers: Record<string, string>
  log: Log
}

export interface ExchangeSettings {
  trustedProxies: BlockList
  replyHeaders: Record<string, string>
  log: Log
}

export function beginExchange(
  request: IncomingMessage,
  reply: ServerResponse,
  { trustedProxies, replyHeaders, log }: ExchangeSettings,
): Exchange {
  const target = request.url ?? ''
  const query = target.indexOf('?')
  return {
    request,
    reply,
    id: randomUUID(),
    method: request.method ?? '',
    path: query < 0 ? target : target.slice(0, query),
    ip: addressOf(request, trustedProxies),
    headers: replyHeaders,
    log,
  }
}

/** The peer; behind trusted proxies the last address that none of them has. */
function addressOf(request: IncomingMessage, trusted: BlockList): string {
  const peer = plainAddress(request.socket.remoteAddress ?? '')
  const forwarded = request.headers['x-forwarded-for']
  if (typeof forwarded !== 'string' || !isIn(trusted, peer)) return peer
  const hops = forwarded.split(',').map((hop) => plainAddress(hop.trim()))
  return hops.findLast((hop) => !isIn(trusted, hop)) ?? peer
}

/** `::ffff:10.0.0.1`, how a dual-stack socket names an IPv4 peer, is `10.0.0.1`. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
