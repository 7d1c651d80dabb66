import { afterEach, describe, expect, it } from 'vitest'
import { createAddressVoucher } from '../../signing/client-address.ts'
import { readAddresses } from '../../wire/addresses.ts'
import type { Config } from '../config.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'

const LIMIT = { count: 3, periodMs: 3_600_000, burst: 3 }

let service: TestService
afterEach(() => service.close())

async function start(trusted: string, more: Partial<Config> = {}): Promise<void> {
  service = await startTestService({ authFailureLimit: LIMIT, trustedProxies: readAddresses(trusted)!, ...more })
}

/** Guesses five times, from another address each time as the headers say. @returns the statuses */
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

describe('K10: the address of a caller', () => {
  it('is not what its own headers say', async () => {
    await start('')
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'x-client-address', 'true-client-ip']) {
      expect(await guess((address) => ({ [name]: address }))).toEqual(
        name === 'x-forwarded-for' ? ONE_PLACE : [429, 429, 429, 429, 429],
      )
    }
  })
  it('is what a trusted proxy says', async () => {
    await start('127.0.0.1')
    expect(await guess((address) => ({ 'x-forwarded-for': address }))).toEqual(MANY_PLACES)
  })
  it('is what the own proxy vouches for with the master key, and no API client can', async () => {
    await start('')
    const { masterKey, bootstrap } = service.config
    const own = createAddressVoucher(masterKey)
    expect(await guess((address) => own.vouch(address, Date.now()))).toEqual(MANY_PLACES)
    const forged = createAddressVoucher(bootstrap!.apiSecret)
    expect(await guess((address) => forged.vouch(address, Date.now()))).toEqual(ONE_PLACE)
  })
})
