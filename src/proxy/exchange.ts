import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BlockList } from 'node:net'
import type { AddressVoucher } from '../signing/client-address.ts'
import { addressBehind, isIn, plainAddress } from '../wire/addresses.ts'
import type { Log } from '../wire/log.ts'
import { requestIdOf } from '../wire/request-id.ts'
import type { Span } from '../wire/traces/span.ts'

/** A request and its reply, with the facts that every part of the proxy needs. */
export interface Exchange {
  request: IncomingMessage
  reply: ServerResponse
  id: string
  method: string
  /** The path as sent, without the query. */
  path: string
  /** Address of the client. */
  ip: string
  /** Headers of every reply. */
  headers: Record<string, string>
  /** Headers that vouch for the client's address to the service. */
  vouch: () => Record<string, string>
  log: Log
  /** Whether a server of TRUSTED_PROXIES sent the request. */
  isFromFrontServer: () => boolean
  /** Undefined unless traces are configured. */
  span?: Span | undefined
}

export interface ExchangeSettings {
  trustedProxies: BlockList
  replyHeaders: Record<string, string>
  vouch: AddressVoucher['vouch']
  clock: () => Date
  log: Log
}

export function beginExchange(
  request: IncomingMessage,
  reply: ServerResponse,
  { trustedProxies, replyHeaders, vouch, clock, log }: ExchangeSettings,
): Exchange {
  const target = request.url ?? ''
  const query = target.indexOf('?')
  const peer = request.socket.remoteAddress ?? ''
  const isFromFrontServer = () => isIn(trustedProxies, plainAddress(peer))
  const ip = addressBehind(peer, request.headers['x-forwarded-for'], trustedProxies)
  return {
    request,
    reply,
    id: requestIdOf(request.headers['x-request-id'], isFromFrontServer),
    method: request.method ?? '',
    path: query < 0 ? target : target.slice(0, query),
    ip,
    headers: replyHeaders,
    vouch: () => vouch(ip, clock().getTime()),
    log,
    isFromFrontServer,
  }
}
