import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HEADERS } from '../signing/signature.ts'
import { startTestProxy, type TestProxy } from './testing/start-proxy.ts'

let proxy: TestProxy
beforeAll(async () => {
  proxy = await startTestProxy()
})
afterAll(() => proxy.close())

/** The headers of a file that was opened from disk. */
const FROM_DISK = { origin: 'null', 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain;charset=UTF-8' }
const ask = (headers: Record<string, string> = {}, body = '{"action":"redeem"}', method = 'POST') =>
  proxy.send(method, '/sealed/key', { headers: { ...FROM_DISK, ...headers }, ...(method === 'POST' && { body }) })

describe('the route to the keys of sealed documents', () => {
  it('is open to pages without an origin, and forwards neither signature nor cookie', async () => {
    const { cookie } = await proxy.signIn()
    const { status, headers } = await ask({ cookie, [HEADERS.token]: '1'.repeat(40) })
    // The stand-in answers unsigned requests with 401.
    expect(status).toBe(401)
    expect(headers).toMatchObject({ 'access-control-allow-origin': 'null', vary: 'Origin' })
    expect(headers['access-control-allow-credentials']).toBeUndefined()
    const seen = proxy.api.seen.at(-1)
    expect(seen?.url).toBe('/sealed/key')
    for (const name of ['cookie', ...Object.values(HEADERS)]) expect(seen?.headers[name]).toBeUndefined()
  })

  it('is closed to every site, even our own', async () => {
    for (const origin of ['https://evil.example', proxy.url]) {
      const { status, headers } = await ask({ origin })
      expect([status, headers['access-control-allow-origin']]).toEqual([403, undefined])
    }
  })

  it('is the only such route', async () => {
    for (const path of ['/api/v1/users/me', '/auth/session', '/sealed/key/', '/sealed/keys', '/content/x']) {
      const { status, headers } = await proxy.send('POST', path, { headers: FROM_DISK, body: '{}' })
      expect(status).toBeGreaterThanOrEqual(400)
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
    expect((await ask({}, '', 'GET')).status).toBe(405)
    expect((await proxy.send('GET', '/api/v1/users/me', { headers: FROM_DISK })).status).toBe(403)
  })

  it('accepts only small requests', async () => {
    expect((await ask({}, 'x'.repeat(5000))).status).toBe(413)
  })

  it('limits the requests per minute from one address', async () => {
    const statuses = new Set<number>()
    for (let count = 0; count < 125; count++) statuses.add((await ask()).status)
    expect([...statuses]).toEqual([401, 429])
    const refused = await ask()
    expect(refused.headers).toMatchObject({ 'retry-after': expect.any(String), 'access-control-allow-origin': 'null' })
    proxy.clock.now += 61_000
    expect((await ask()).status).toBe(401)
  })
})

describe('the window opened by a sealed document', () => {
  it('keeps its opener, and no other page does', async () => {
    const policyOf = async (path: string) => (await proxy.send('GET', path)).headers['cross-origin-opener-policy']
    expect(await policyOf('/sealed/open?copy=x')).toBe('unsafe-none')
    for (const path of ['/', '/sealed', '/sealed/open/x', '/sign-in']) expect(await policyOf(path)).toBe('same-origin')
    expect((await proxy.send('GET', '/sealed/open')).headers).toMatchObject({ 'x-frame-options': 'DENY' })
  })
})
