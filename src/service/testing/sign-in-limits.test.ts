import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { requestOf } from '../../client/request.ts'
import { api } from '../../contract/index.ts'
import { CLIENT_ADDRESS, createAddressVoucher } from '../../signing/client-address.ts'
import { type RunningService, startService } from '../app.ts'
import { type ProxyProcess, spawnProxy } from './spawn-proxy.ts'
import { startTestService, type TestService } from './start-service.ts'

// Two proxies, each in front of its own node of one service without a common RATE_STORE.

let service: TestService
let second: RunningService
let proxies: ProxyProcess[]
beforeAll(async () => {
  service = await startTestService()
  second = await startService({ ...service.config, port: 0 })
  const trusted = { TRUSTED_PROXIES: '127.0.0.1,::1' }
  proxies = await Promise.all([service.url, second.url].map((url) => spawnProxy(service, [url], trusted)))
})
beforeEach(() => service.services.db.deleteFrom('rate_buckets').execute())
afterAll(async () => {
  for (const { child } of proxies) child.kill('SIGKILL')
  await second.close()
  await service.close()
})

let serial = 0
const someAddress = () => `person${++serial}@example.com`
const someClient = () => `198.51.100.${++serial}`

/** Sends a client's request through one of the proxies. */
async function post(at: number, path: string, client: string, body: object): Promise<Response> {
  const reply = await proxies[at % 2]!.send('POST', path, {
    body: JSON.stringify(body),
    headers: { 'x-forwarded-for': client },
  })
  await reply.body?.cancel()
  return reply
}

/** Sends as many requests as the limit allows, half of them through each proxy. @returns the statuses of one more at each */
async function exhaust(allowed: number, status: number, send: (at: number) => Promise<Response>): Promise<number[]> {
  for (let at = 0; at < allowed; at++) expect((await send(at)).status).toBe(status)
  const refused = [await send(0), await send(1)]
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  return refused.map((reply) => reply.status)
}

const askCode = (at: number, client: string, email: string) => post(at, '/auth/code', client, { email })
const lookUp = (at: number, client: string) => post(at, '/auth/invitation', client, { token: '1.unknown' })
const tryCode = (at: number, client: string, email: string) =>
  proxies[at % 2]!.send('POST', '/auth/sign-in', {
    body: JSON.stringify({ email, code: '123456' }),
    headers: { 'x-forwarded-for': client },
    cookie: `strongroom-code=${'C'.repeat(43)}`,
  })

test('K115: two proxies together ask for five codes for an address, whatever the client', async () => {
  const email = someAddress()
  const send = (at: number) => askCode(at, someClient(), at % 3 === 0 ? email : email.toUpperCase())
  expect(await exhaust(5, 204, send)).toEqual([429, 429])
  expect((await askCode(0, someClient(), someAddress())).status).toBe(204)
})

test('K115: two proxies together ask for twenty codes by one client, and for those of other clients', async () => {
  const client = someClient()
  expect(await exhaust(20, 204, (at) => askCode(at, client, someAddress()))).toEqual([429, 429])
  const owner = someAddress()
  expect((await askCode(0, client, owner)).status).toBe(429)
  // What is refused to one client takes nothing from the address.
  expect(await exhaust(5, 204, (at) => askCode(at, someClient(), owner))).toEqual([429, 429])
})

test('K115: the addresses of one IPv6 network are one client at both proxies', async () => {
  const send = (at: number) => askCode(at, `2001:db8:0:7::${(at + ++serial).toString(16)}`, someAddress())
  expect(await exhaust(20, 204, send)).toEqual([429, 429])
  expect((await askCode(0, '2001:db8:0:8::1', someAddress())).status).toBe(204)
})

test('K115: two proxies together try sixty codes by one client, and those of other clients', async () => {
  const client = someClient()
  expect(await exhaust(60, 401, (at) => tryCode(at, client, someAddress()))).toEqual([429, 429])
  expect((await tryCode(1, someClient(), someAddress())).status).toBe(401)
})

test('K115: two proxies together look up sixty invitations for one client, and those of other clients', async () => {
  const client = someClient()
  expect(await exhaust(60, 200, (at) => lookUp(at, client))).toEqual([429, 429])
  expect((await lookUp(1, someClient())).status).toBe(200)
})

test('K115: three minutes later, two proxies together ask for one more code for an address', async () => {
  const email = someAddress()
  await exhaust(5, 204, (at) => askCode(at, someClient(), email))
  await sql`update rate_buckets set full_at = full_at - interval '3 minutes'`.execute(service.services.db)
  expect((await askCode(1, someClient(), email)).status).toBe(204)
  expect((await askCode(0, someClient(), email)).status).toBe(429)
})

test('K115: nobody but the proxy can spend what a client may do', async () => {
  const [client, email] = [someClient(), someAddress()]
  const { path, init } = requestOf(api.signInCodes.create, { body: { email } })
  const forged = createAddressVoucher('cd'.repeat(32)).vouch(client, Date.now())[CLIENT_ADDRESS]!
  for (let at = 0; at < 25; at++) {
    const headers = { ...init.headers, [CLIENT_ADDRESS]: forged, 'x-forwarded-for': client }
    expect((await service.admin.fetch(path, { ...init, headers })).status).toBe(201)
  }
  expect(await service.services.db.selectFrom('rate_buckets').selectAll().execute()).toEqual([])
  expect((await askCode(0, client, email)).status).toBe(204)
})
