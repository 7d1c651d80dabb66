import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  hostileCookie,
  hostileInput,
  type HostileRequest,
  hostileSegment,
  prototypes,
} from '../wire/testing/hostile-names.ts'
import { readAnswer, sendRaw } from '../wire/testing/raw.ts'
import { startTestProxy, type TestProxy } from './testing/start-proxy.ts'

let proxy: TestProxy
let cookie: string
beforeAll(async () => {
  proxy = await startTestProxy()
  ;({ cookie } = await proxy.signIn())
})
afterAll(() => proxy.close())

/** Sends the request as raw text, because JavaScript clients would not send a header called __proto__. */
async function send(method: string, path: string, { body, contentType, headers }: HostileRequest) {
  const lines = Object.entries({
    Host: proxy.host,
    Connection: 'close',
    'Sec-Fetch-Site': 'same-origin',
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(body),
  }).concat(Object.entries(headers))
  const head = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  return readAnswer(await sendRaw(proxy.url, head + body))
}

const bystander = async () => (await proxy.send('GET', '/auth/session', { headers: { cookie } })).text

const OWN = ['/auth/code', '/auth/sign-in', '/auth/demo', '/sealed/key']

test('K1: routes of the proxy refuse a name that leads to a prototype, and other users are not affected', async () => {
  const before = { prototypes: prototypes(), bystander: await bystander() }
  const property = fc.asyncProperty(fc.constantFrom(...OWN), hostileInput, async (path, request) => {
    const { status } = await send('POST', `${path}?${request.query}`, { ...request, contentType: 'application/json' })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(prototypes()).toEqual(before.prototypes)
  })
  await fc.assert(property, { numRuns: 150 })
  expect(await bystander()).toBe(before.bystander)
})

test('K1: such a name in a cookie or a path is ignored', async () => {
  const before = { prototypes: prototypes(), bystander: await bystander() }
  const none: HostileRequest = { query: '', body: '', contentType: 'application/json', headers: {} }
  const paths = ['', '/api/v1', '/api/v1/groups', '/auth', '/assets', '/content', '/rooms']
  const property = fc.asyncProperty(
    fc.constantFrom(...paths),
    hostileSegment,
    hostileCookie,
    async (path, segment, extra) => {
      const { status } = await send('GET', `${path}/${segment}`, {
        ...none,
        headers: { Cookie: `${extra}; ${cookie}` },
      })
      expect(status).toBeLessThan(500)
      expect(prototypes()).toEqual(before.prototypes)
    },
  )
  await fc.assert(property, { numRuns: 150 })
  const signedIn = await proxy.send('GET', '/auth/session', {
    headers: { cookie: `__proto__=1; ${cookie}; constructor=2` },
  })
  expect(signedIn.text).toBe(before.bystander)
})
