import { describe, expect, it, onTestFinished } from 'vitest'
import { createAddressVoucher } from '../../signing/client-address.ts'
import { readAddresses } from '../../wire/addresses.ts'
import type { Config } from '../base/config.ts'
import { createClientAddresses } from './client-addresses.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'

const LIMIT = { count: 3, periodMs: 3_600_000, burst: 3 }

let service: TestService

async function start(trusted: string, more: Partial<Config> = {}): Promise<void> {
  service = await startTestService({ authFailureLimit: LIMIT, trustedProxies: readAddresses(trusted)!, ...more })
  onTestFinished(() => service.close())
}

/** Sends five requests with wrong credentials, each with headers that claim another address. @returns the statuses */
async function guess(headersFor: (address: string) => Record<string, string>): Promise<number[]> {
  const statuses: number[] = []
  for (const at of [1, 2, 3, 4, 5]) {
    const headers = { 'x-api-key': 'k', 'x-api-user-token': 't', 'x-api-exp-date': '1', 'x-api-signature': 's' }
    const reply = await fetch(`${service.url}/api/v1/users/me`, {
      headers: { ...headers, ...headersFor(`203.0.113.${at}`) },
    })
    statuses.push(reply.status)
  }
  return statuses
}

const ONE_PLACE = [401, 401, 401, 429, 429]
const MANY_PLACES = [401, 401, 401, 401, 401]

describe('K10: an untrusted proxy', () => {
  const PROXY = { socket: { remoteAddress: '10.0.0.1' } }
  const masterKey = 'ab'.repeat(32)
  let now = Date.parse('2030-01-01T00:00:00Z')
  const lines: string[] = []
  const log = { warn: (_facts: object, words: string) => lines.push(words) }

  function addresses() {
    lines.length = 0
    const trustedProxies = readAddresses('')!
    const made = createClientAddresses({ masterKey, trustedProxies }, log as never, () => new Date(now))
    return { ...made, from: (headers: Record<string, string>) => made.find({ ...PROXY, headers } as never) }
  }
  const by = (key: string, at: number) => createAddressVoucher(key).vouch('203.0.113.9', at)

  it('with a wrong clock is logged once in ten minutes and reported by the health check', () => {
    const { from, warnings } = addresses()
    expect([from(by(masterKey, now)), lines, warnings()]).toEqual(['203.0.113.9', [], []])
    for (let n = 0; n < 3; n++) expect(from(by(masterKey, now - 400_000))).toBe('10.0.0.1')
    expect(lines).toEqual([expect.stringContaining('400 seconds behind')])
    expect(warnings()).toEqual(lines)
    now += 10 * 60_000
    expect(warnings()).toEqual([])
    expect(from(by(masterKey, now + 900_000))).toBe('10.0.0.1')
    expect(lines).toEqual([lines[0], expect.stringContaining('900 seconds ahead')])
  })

  it('with a wrong key, which anybody can send, is logged once in ten minutes and changes no health check', () => {
    const { from, warnings } = addresses()
    for (const headers of [by('cd'.repeat(32), now), { 'x-client-address': 'nonsense' }, { 'x-client-address': '' }]) {
      expect(from(headers)).toBe('10.0.0.1')
    }
    expect(lines).toEqual([expect.stringContaining('not signed with MASTER_KEY')])
    expect(warnings()).toEqual([])
    expect(from({})).toBe('10.0.0.1')
    expect(lines).toHaveLength(1)
  })

  it('is reported in /readyz', async () => {
    await start('')
    const ready = async () => (await fetch(`${service.url}/readyz`)).json()
    expect(await ready()).toEqual({ status: 'ready' })
    const headers = createAddressVoucher(service.config.masterKey).vouch('203.0.113.9', Date.now() - 3600_000)
    await fetch(`${service.url}/api/v1/users/me`, { headers })
    expect(await ready()).toEqual({ status: 'ready', warnings: [expect.stringContaining('behind')] })
  })
})

describe('K10: the address of a caller', () => {
  it('is not taken from its own headers', async () => {
    await start('')
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'x-client-address', 'true-client-ip']) {
      expect(await guess((address) => ({ [name]: address }))).toEqual(
        name === 'x-forwarded-for' ? ONE_PLACE : [429, 429, 429, 429, 429],
      )
    }
  })
  it('is taken from a trusted proxy', async () => {
    await start('127.0.0.1')
    expect(await guess((address) => ({ 'x-forwarded-for': address }))).toEqual(MANY_PLACES)
  })
  it('is taken from our own proxy, which signs it with the master key, and from no API client', async () => {
    await start('')
    const { masterKey, bootstrap } = service.config
    const own = createAddressVoucher(masterKey)
    expect(await guess((address) => own.vouch(address, Date.now()))).toEqual(MANY_PLACES)
    const forged = createAddressVoucher(bootstrap!.apiSecret)
    expect(await guess((address) => forged.vouch(address, Date.now()))).toEqual(ONE_PLACE)
  })
})
