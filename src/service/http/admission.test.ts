import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { errorReply } from '../../contract/errors.ts'
import { api } from '../../contract/index.ts'
import { sign } from '../../signing/signature.ts'
import * as z from 'zod'
import type { Config } from '../base/config.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createPerson, type Person } from '../testing/world.ts'

let service: TestService
let alice: Person
let bob: Person
let now: Date
afterEach(() => service.close())

async function start(limits: Partial<Config>): Promise<void> {
  service = await startTestService(limits)
  alice = await createPerson(service, 'alice')
  bob = await createPerson(service, 'bob')
  stand(new Date())
}

/** Freezes the clock of the service at `at`, so that no budget is earned while the test runs. */
function stand(at: Date): void {
  now = at
  service.setClock(now)
}

const me = (person: Person, headers: Record<string, string> = {}) =>
  person.fetch('/api/v1/users/me', { headers }, now.getTime())
const budgetOf = ({ status, headers }: Response) => [
  status,
  ...['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`))),
]
const refusalOf = async (response: Response) => {
  const { error } = z.parse(errorReply, await response.json())
  expect(error.code).toBe(response.status)
  expect(response.headers.get('x-request-id')).toBe(error.request_id)
  return [response.status, response.headers.get('retry-after')]
}

describe('the rate limit', () => {
  beforeEach(() => start({ rateLimit: { count: 30, periodMs: 60_000, burst: 3 } }))

  it('reports the remaining budget, and with 429 how long to wait', async () => {
    expect(budgetOf(await me(alice))).toEqual([200, 3, 2, 2])
    await me(alice)
    expect(budgetOf(await me(alice))).toEqual([200, 3, 0, 6])
    const response = await me(alice)
    expect(budgetOf(response)).toEqual([429, 3, 0, 6])
    expect(await refusalOf(response)).toEqual([429, '2'])
    stand(new Date(now.getTime() + 2000))
    expect(budgetOf(await me(alice))).toEqual([200, 3, 0, 6])
  })

  it('is separate for each user', async () => {
    for (let at = 0; at < 4; at++) await me(alice)
    expect((await me(alice)).status).toBe(429)
    expect((await me(bob)).status).toBe(200)
  })

  it('is separate for each API key', async () => {
    const { public_key, secret_key, user_token } = await alice.call(api.apiKeys.create, {
      body: { name: 'Script', scopes: ['files:read'] },
    })
    for (let at = 0; at < 3; at++) await me(alice)
    const credentials = { key: public_key, secret: secret_key, token: user_token }
    const headers = sign(credentials, Math.floor(now.getTime() / 1000) + 60)
    const response = await fetch(`${service.url}/api/v1/users/me`, { headers })
    expect([(await me(alice)).status, ...budgetOf(response)]).toEqual([429, 200, 3, 2, 2])
  })

  it('counts failing calls too, on every path', async () => {
    for (const path of ['/api/v1/workspaces/999', '/api/v1/teams', '/api/v1/files/search']) {
      await alice.fetch(path, {}, now.getTime())
    }
    expect((await me(alice)).status).toBe(429)
  })

  it('does not count requests with an invalid signature', async () => {
    const forged = sign({ ...alice.credentials, secret: 'wrong' }, Math.floor(now.getTime() / 1000) + 60)
    for (let at = 0; at < 10; at++) {
      expect((await fetch(`${service.url}/api/v1/users/me`, { headers: forged })).status).toBe(401)
    }
    expect(budgetOf(await me(alice))).toEqual([200, 3, 2, 2])
  })

  it('does not apply to the configured admin, whose credentials the proxy uses for sign-ins', async () => {
    for (let at = 0; at < 5; at++) {
      const response = await service.admin.fetch('/api/v1/users/me', {}, now.getTime())
      expect(budgetOf(response)).toEqual([200, 0, 0, 0])
    }
  })

  it('does not apply to health probes', async () => {
    for (let at = 0; at < 5; at++) expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  })
})

describe('the limit of failed authentication', () => {
  beforeEach(() => start({ authFailureLimit: { count: 2, periodMs: 60_000, burst: 2 } }))

  const forge = (from: string) =>
    fetch(`${service.url}/api/v1/users/me`, { headers: { 'x-api-key': 'guess', 'x-forwarded-for': from } })

  it('is separate for each address and ends with time', async () => {
    expect([(await forge('10.0.0.1')).status, (await forge('10.0.0.1')).status]).toEqual([401, 401])
    expect(await refusalOf(await forge('10.0.0.1'))).toEqual([429, '30'])
    expect((await forge('10.0.0.2')).status).toBe(401)
    stand(new Date(now.getTime() + 30_000))
    expect((await forge('10.0.0.1')).status).toBe(401)
    expect((await forge('10.0.0.1')).status).toBe(429)
  })

  it('counts an IPv6 network as one address', async () => {
    expect([(await forge('2001:db8:1:2::1')).status, (await forge('2001:db8:1:2:9::9')).status]).toEqual([401, 401])
    expect((await forge('2001:db8:1:2:ffff::1')).status).toBe(429)
    expect((await forge('2001:db8:1:3::1')).status).toBe(401)
  })

  it('refuses even genuine credentials, unless they were used from that address before', async () => {
    const from = { 'x-forwarded-for': '10.0.0.1' }
    expect((await me(alice, from)).status).toBe(200)
    await forge('10.0.0.1')
    await forge('10.0.0.1')
    expect((await me(alice, from)).status).toBe(200)
    expect((await me(bob, from)).status).toBe(429)
    expect((await me(bob)).status).toBe(200)
  })

  it('does not count ended sessions: a signed-out user is not guessing', async () => {
    for (let at = 0; at < 5; at++) expect((await me(alice, { 'x-api-session': '1' })).status).toBe(401)
    expect((await me(bob)).status).toBe(200)
  })

  it('counts failures only', async () => {
    for (let at = 0; at < 5; at++) await me(alice)
    expect((await me(bob)).status).toBe(200)
  })
})

it('without limits no reply has budget headers and no call is refused', async () => {
  await start({})
  for (let at = 0; at < 20; at++) await me(alice)
  expect(budgetOf(await me(alice))).toEqual([200, 0, 0, 0])
})
