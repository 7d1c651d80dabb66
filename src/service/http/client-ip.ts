import type { FastifyRequest } from 'fastify'
import { CLIENT_ADDRESS, createAddressVoucher } from '../../signing/client-address.ts'
import { addressBehind } from '../../wire/addresses.ts'
import type { Config } from '../config.ts'

/** The address from which a request came. */
export type ClientIp = (request: FastifyRequest) => string

/** Believes our own proxy, which has the master key, and TRUSTED_PROXIES; otherwise the peer is the client. */
export function createClientIp({ masterKey, trustedProxies }: Config, clock: () => Date): ClientIp {
  const voucher = createAddressVoucher(masterKey)
  return ({ socket, headers }) =>
    voucher.read(headers[CLIENT_ADDRESS], clock().getTime()) ??
    addressBehind(socket.remoteAddress ?? '', headers['x-forwarded-for'], trustedProxies)
}
