import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** The proxy's header that tells the service the client's address: address, Unix seconds, HMAC-SHA256. */
export const CLIENT_ADDRESS = 'x-client-address'

/** How much the clocks of two machines may differ. */
const VALID_SECONDS = 300
const FORM = /^([0-9a-fA-F.:]{2,45}) ([1-9]\d{0,10}) ([0-9a-f]{64})$/

/** Only programs with the master key can vouch for an address: API clients have only API secrets. */
export interface AddressVoucher {
  /** @param now in milliseconds */
  vouch(address: string, now: number): Record<string, string>
  /** The address in a header made with the same master key; undefined for any other header. */
  read(header: unknown, now: number): string | undefined
  /**
   * Seconds by which the clock of a proxy with the same master key was behind; undefined for a header made with another
   * key.
   */
  lagOf(header: unknown, now: number): number | undefined
}

export function createAddressVoucher(masterKey: string): AddressVoucher {
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(masterKey, 'hex'), '', 'strongroom client address', 32))
  const macOf = (address: string, seconds: string) => createHmac('sha256', key).update(`${address} ${seconds}`).digest()
  return {
    vouch(address, now) {
      const seconds = String(Math.floor(now / 1000))
      return { [CLIENT_ADDRESS]: `${address} ${seconds} ${macOf(address, seconds).toString('hex')}` }
    },
    read(header, now) {
      const [, address, seconds, mac] = (typeof header === 'string' && FORM.exec(header)) || []
      if (address === undefined || seconds === undefined || mac === undefined) return undefined
      if (Math.abs(now / 1000 - Number(seconds)) > VALID_SECONDS) return undefined
      return timingSafeEqual(Buffer.from(mac, 'hex'), macOf(address, seconds)) ? address : undefined
    },
    lagOf(header, now) {
      const [, address = '', seconds = '', mac = ''] = (typeof header === 'string' && FORM.exec(header)) || []
      const isOurs = mac !== '' && timingSafeEqual(Buffer.from(mac, 'hex'), macOf(address, seconds))
      return isOurs ? Math.round(now / 1000 - Number(seconds)) : undefined
    },
  }
}
