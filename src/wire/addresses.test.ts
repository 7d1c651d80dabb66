import { describe, expect, it } from 'vitest'
import { addressBehind, readAddresses } from './addresses.ts'

const trusted = readAddresses('10.0.0.0/8, 127.0.0.1,fd00::/8')!
const none = readAddresses('')!

describe('K10: an address with a zone', () => {
  it.each([
    ['fe80::1%eth0', 'fe80::1'],
    ['fe80::abcd%12', 'fe80::abcd'],
    ['::ffff:10.0.0.1%eth0', '10.0.0.1'],
    ['fe80::1', 'fe80::1'],
    ['%', '%'],
  ])('%s is %s', (peer, address) => expect(addressBehind(peer, undefined, none)).toBe(address))

  it('is in the networks of its plain address, and may be forwarded', () => {
    const trusted = readAddresses('fe80::/10')!
    expect(addressBehind('fe80::1%eth0', 'fe80::9%wlan0, 2001:db8::7', trusted)).toBe('2001:db8::7')
    expect(addressBehind('fe80::1%eth0', '2001:db8::7, fe80::9%wlan0', trusted)).toBe('2001:db8::7')
  })
})

describe('K10: a forwarded address', () => {
  it.each([
    ['from nobody trusted', '203.0.113.9', '6.6.6.6', '203.0.113.9'],
    ['from a trusted proxy', '10.1.1.1', '203.0.113.9', '203.0.113.9'],
    ['through several', '10.1.1.1', '6.6.6.6, 203.0.113.9, 10.2.2.2', '203.0.113.9'],
    ['by a dual-stack socket', '::ffff:10.1.1.1', '::FFFF:203.0.113.9', '203.0.113.9'],
    ['in IPv6', 'fd00::1', '2001:db8::1', '2001:db8::1'],
    ['as a word', '10.1.1.1', 'evil', '10.1.1.1'],
    ['behind a word', '10.1.1.1', '203.0.113.9, evil, 10.2.2.2', '10.2.2.2'],
    ['as nothing', '10.1.1.1', '', '10.1.1.1'],
    ['by proxies alone', '10.1.1.1', '10.3.3.3, 10.2.2.2', '10.3.3.3'],
  ])('%s', (_, peer, forwarded, address) => {
    expect(addressBehind(peer, forwarded, trusted)).toBe(address)
  })
  it('is ignored if no proxy is trusted', () => {
    expect(addressBehind('127.0.0.1', '6.6.6.6', none)).toBe('127.0.0.1')
    expect(addressBehind('127.0.0.1', undefined, trusted)).toBe('127.0.0.1')
  })
})

it.each([
  'everybody',
  '10.0.0.0/99',
  '10.0.0.0/x',
  '10.0.0.0/8/8',
  '1.2.3',
  '::/129',
  '10.0.0.1/',
  '10.0.0.1/ ',
  '10.0.0.1/0x8',
  '10.0.0.1/1e1',
  '::1/',
])('K10: %j is not a valid list', (text) => {
  expect(readAddresses(text)).toBeUndefined()
})
