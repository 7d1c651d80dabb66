import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { CLIENT_ADDRESS, createAddressVoucher } from '../../signing/client-address.ts'
import { addressBehind, isIn, plainAddress } from '../../wire/addresses.ts'
import type { Log } from '../../wire/log.ts'
import type { Config } from '../base/config.ts'

const WARN_EVERY_MS = 10 * 60_000

export interface ClientAddresses {
  find(request: Pick<FastifyRequest, 'socket' | 'headers'>): string
  /** The address that our own proxy vouches for; undefined for a request of anybody else. */
  behindOurProxy(request: Pick<IncomingMessage, 'headers'>): string | undefined
  /** Whether a server of TRUSTED_PROXIES sent the request itself. Our own proxy is none, wherever it runs. */
  isFromFrontServer(request: Pick<FastifyRequest, 'socket' | 'headers'>): boolean
  /** Whether our own proxy or a server of TRUSTED_PROXIES sent the request itself. */
  isFromProxy(request: Pick<IncomingMessage, 'socket' | 'headers'>): boolean
  /** Warnings for the operator: why addresses from our own proxy were not trusted within the last ten minutes. */
  warnings(): string[]
}

/** Trusts our own proxy, which has the master key, and TRUSTED_PROXIES. Otherwise the peer is the client. */
export function createClientAddresses(
  { masterKey, trustedProxies }: Pick<Config, 'masterKey' | 'trustedProxies'>,
  log: Pick<Log, 'warn'>,
  clock: () => Date,
): ClientAddresses {
  const voucher = createAddressVoucher(masterKey)
  const warned = new Map<'clock' | 'key', { at: number; words: string }>()

  const isWarned = (kind: 'clock' | 'key', now: number) => now - (warned.get(kind)?.at ?? -Infinity) < WARN_EVERY_MS

  /** Anybody can send the header, so each kind of warning is logged once in ten minutes. */
  function warn(header: unknown, now: number): void {
    const lag = voucher.lagOf(header, now)
    const kind = lag === undefined ? 'key' : 'clock'
    if (isWarned(kind, now)) return
    const words = lag === undefined ? UNSIGNED : ofClock(lag)
    warned.set(kind, { at: now, words })
    log.warn({ lag_seconds: lag }, words)
  }

  const behindOurProxy: ClientAddresses['behindOurProxy'] = ({ headers }) =>
    voucher.read(headers[CLIENT_ADDRESS], clock().getTime())

  const isFromFrontServer: ClientAddresses['isFromFrontServer'] = ({ socket, headers }) =>
    headers[CLIENT_ADDRESS] === undefined && isIn(trustedProxies, plainAddress(socket.remoteAddress ?? ''))

  return {
    find({ socket, headers }) {
      const header = headers[CLIENT_ADDRESS]
      const now = clock().getTime()
      const vouched = header === undefined ? undefined : voucher.read(header, now)
      if (header !== undefined && vouched === undefined) warn(header, now)
      return vouched ?? addressBehind(socket.remoteAddress ?? '', headers['x-forwarded-for'], trustedProxies)
    },
    behindOurProxy,
    isFromFrontServer,
    isFromProxy: (request) => isFromFrontServer(request) || behindOurProxy(request) !== undefined,
    warnings: () => (isWarned('clock', clock().getTime()) ? [warned.get('clock')!.words] : []),
  }
}

const UNSIGNED =
  'an address in X-Client-Address was not believed: it was not signed with MASTER_KEY, which proxy and service must share'

const ofClock = (lag: number) =>
  `addresses from the proxy are not believed: its clock is ${Math.abs(lag)} seconds ${lag > 0 ? 'behind' : 'ahead'}, ` +
  'and 300 are allowed; marks, limits and the audit trail have the address of the proxy instead'
