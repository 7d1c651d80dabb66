import { describe, expect, it } from 'vitest'
import { CLIENT_ADDRESS, createAddressVoucher } from './client-address.ts'

const NOW = Date.parse('2030-01-01T00:00:00Z')
const voucher = createAddressVoucher('ab'.repeat(32))
const header = (address: string) => voucher.vouch(address, NOW)[CLIENT_ADDRESS]!

describe('K10: the address the proxy vouches for', () => {
  it.each(['203.0.113.9', '2001:db8::1'])('%s is read', (address) => {
    expect(voucher.read(header(address), NOW)).toBe(address)
  })
  it('is rejected if it was made with another key, changed, or is old', () => {
    const other = createAddressVoucher('cd'.repeat(32))
    expect(other.read(header('203.0.113.9'), NOW)).toBeUndefined()
    expect(voucher.read(header('203.0.113.9').replace('203', '204'), NOW)).toBeUndefined()
    expect(voucher.read(header('203.0.113.9'), NOW + 301_000)).toBeUndefined()
    expect(voucher.read(header('203.0.113.9'), NOW - 301_000)).toBeUndefined()
  })
  it('reveals the lag of a clock only if it was made with the same key', () => {
    expect(voucher.lagOf(header('203.0.113.9'), NOW + 400_000)).toBe(400)
    expect(voucher.lagOf(header('203.0.113.9'), NOW - 400_000)).toBe(-400)
    for (const other of [undefined, '', header('203.0.113.9').replace('203', '204'), `1.2.3.4 1 ${'0'.repeat(64)}`]) {
      expect(voucher.lagOf(other, NOW)).toBeUndefined()
    }
  })
  it.each([undefined, '', '203.0.113.9', ['a', 'b'], `203.0.113.9 1 ${'0'.repeat(64)}`, 'x'.repeat(10_000)])(
    '%j is rejected',
    (given) => expect(voucher.read(given, NOW)).toBeUndefined(),
  )
})
