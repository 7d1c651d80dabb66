import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestProxy, type TestProxy } from './testing/start-proxy.ts'

let proxy: TestProxy
let cookie: string
beforeAll(async () => {
  proxy = await startTestProxy({ PUBLIC_URL: 'https://rooms.test' })
  const answer = await proxy.send('POST', '/auth/demo', { json: { email: 'alice@rooms.test' } })
  cookie = String(answer.headers['set-cookie']).split(';')[0]!
})
afterAll(() => proxy.close())

/** Sends the head unchanged and returns the status; no part of it may reach the service. */
async function statusOf(head: string[], body = ''): Promise<number> {
  const before = proxy.api.seen.length
  const answer = await proxy.raw(`${head.join('\r\n')}\r\n\r\n${body}`)
  expect(proxy.api.seen.length).toBe(before)
  expect(answer).not.toMatch(/^location:/im)
  expect(answer).not.toMatch(/^access-control-/im)
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
}

const host = () => `Host: ${proxy.host}`
const close = 'Connection: close'

describe('ambiguous request targets', () => {
  it.each([
    'http://evil.test/api/v1/teams',
    'http://127.0.0.1/api/v1/teams',
    '//evil.test/api/v1/teams',
    '/api/v1//teams',
    '/api/v1/../../auth/session',
    '/api/v1/teams/..',
    '/content/../api/v1/teams',
    '/content/%2e%2e/api/v1/teams',
    '/content/.%2E/readyz',
    '/content/..;/api/v1/teams',
    '/content/./abc',
    '/api/v1/groups%2f1',
    '/api/v1/groups%2F1',
    '/content/..%2freadyz',
    '/content/..%5creadyz',
    '/content/..\\readyz',
    '/content/abc%00',
    '/content/%zz',
    '/content/%',
    '/content/abc#fragment',
    '/content/caf\xe9',
    'api/v1/teams',
    '*',
  ])('A13: the target %s is refused', async (target) => {
    const status = await statusOf([`GET ${target} HTTP/1.1`, host(), `Cookie: ${cookie}`, close])
    expect(status).toBe(400)
  })

  it('a query may contain what a path may not', async () => {
    const answer = await proxy.raw(
      `GET /api/v1/files/search?workspace_id=1&q=..%2f%5c//x HTTP/1.1\r\n${host()}\r\nCookie: ${cookie}\r\n${close}\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200/)
    expect(proxy.api.seen.at(-1)!.url).toBe('/api/v1/files/search?workspace_id=1&q=..%2f%5c//x')
  })
})

describe('methods and connections', () => {
  it.each(['OPTIONS', 'TRACE', 'PROPFIND', 'LINK'])('A13: %s is refused', async (method) => {
    expect(await statusOf([`${method} /api/v1/teams HTTP/1.1`, host(), `Cookie: ${cookie}`, close])).toBe(405)
  })

  it('A13: the connection of a CONNECT is closed', async () => {
    expect(await statusOf(['CONNECT evil.test:443 HTTP/1.1', 'Host: evil.test:443'])).toBe(0)
  })

  it.each(['websocket', 'h2c'])('A13: an upgrade to %s is refused', async (protocol) => {
    const head = ['GET /api/v1/teams HTTP/1.1', host(), `Cookie: ${cookie}`, 'Connection: Upgrade, close']
    expect(await statusOf([...head, `Upgrade: ${protocol}`])).toBe(400)
  })

  it('A13: two kinds of length at once are refused, and the rest is not read as a second request', async () => {
    const head = ['POST /auth/sign-out HTTP/1.1', host(), 'Content-Length: 4', 'Transfer-Encoding: chunked']
    const smuggled = `0\r\n\r\nGET /api/v1/teams HTTP/1.1\r\n${host()}\r\nCookie: ${cookie}\r\n\r\n`
    expect(await statusOf(head, smuggled)).toBe(400)
  })

  it('headers above 16 KiB are refused', async () => {
    expect(await statusOf(['GET /api/v1/teams HTTP/1.1', host(), `Cookie: ${'a'.repeat(17_000)}`])).toBe(431)
  })

  it('a refused upload does not get 100 Continue', async () => {
    const answer = await proxy.raw(
      `PUT /api/v1/files/upload HTTP/1.1\r\n${host()}\r\nOrigin: https://evil.test\r\nContent-Length: 1000000000\r\nExpect: 100-continue\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 403/)
    expect(answer).not.toContain('100 Continue')
    expect(answer).toMatch(/^connection: close/im)
  })
})

describe('the Host header', () => {
  it.each([
    'evil.test',
    'rooms.test.evil.test',
    'localhost',
    'localhost:1',
    '127.0.0.1',
    'rooms.test:81',
    '',
    'user@rooms.test',
  ])('A13: the host %j is not served (DNS rebinding)', async (name) => {
    for (const path of ['/', '/auth/session', '/api/v1/teams', '/content/abc']) {
      expect(await statusOf([`GET ${path} HTTP/1.1`, `Host: ${name}`, `Cookie: ${cookie}`, close])).toBe(421)
    }
  })

  it('A13: is required in every request', async () => {
    expect(await statusOf(['GET /api/v1/teams HTTP/1.1', `Cookie: ${cookie}`, close])).toBe(400)
    expect(await statusOf(['GET /api/v1/teams HTTP/1.0', `Cookie: ${cookie}`])).toBe(421)
  })

  it('may be the public one, in any case, or a loopback name with the proxy’s port', async () => {
    const port = proxy.host.split(':')[1]
    for (const name of ['rooms.test', 'ROOMS.test', `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      const answer = await proxy.raw(`GET /auth/session HTTP/1.1\r\nHost: ${name}\r\n${close}\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 200/)
    }
  })

  it('is not checked for probes', async () => {
    const answer = await proxy.raw(`GET /healthz HTTP/1.1\r\nHost: 10.0.0.7:3000\r\n${close}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 200/)
  })
})

describe('pages of other sites', () => {
  const change = (...headers: string[]) =>
    statusOf(['DELETE /api/v1/files/1?workspace_id=1 HTTP/1.1', `Cookie: ${cookie}`, close, ...headers])
  const read = (...headers: string[]) =>
    statusOf(['GET /api/v1/teams HTTP/1.1', `Cookie: ${cookie}`, close, ...headers])

  it.each([
    ['another origin', 'Origin: https://evil.test'],
    ['another port of this machine', 'Origin: http://127.0.0.1:1'],
    ['the public name without encryption', 'Origin: http://rooms.test'],
    ['the public origin under a loopback host', 'Origin: https://rooms.test'],
    ['a sandboxed page', 'Origin: null'],
    ['a sister site', 'Sec-Fetch-Site: same-site'],
    ['a cross-site form', 'Sec-Fetch-Site: cross-site'],
    ['a program that says nothing', 'X-Nothing: 1'],
    ['a lie about the site with a true origin', 'Origin: https://evil.test\r\nSec-Fetch-Site: same-origin'],
  ])('G3: change nothing: %s', async (_, header) => {
    expect(await change(host(), header)).toBe(403)
  })

  it.each(['Origin: https://evil.test', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Site: same-site'])(
    'G3: read nothing: %s',
    async (header) => expect(await read(host(), header)).toBe(403),
  )

  it('G3: cannot sign users in or out', async () => {
    for (const path of ['/auth/code', '/auth/sign-in', '/auth/demo', '/auth/sign-out']) {
      const head = [`POST ${path} HTTP/1.1`, host(), 'Origin: https://evil.test', 'Content-Type: application/json']
      expect(await statusOf([...head, 'Content-Length: 2', close], '{}')).toBe(403)
    }
  })

  it.each([
    ['rooms.test', 'Origin: https://rooms.test'],
    ['rooms.test', 'Sec-Fetch-Site: same-origin'],
    ['rooms.test', 'Sec-Fetch-Site: none'],
  ])('our own pages may change data: %s, %s', async (name, header) => {
    const answer = await proxy.raw(
      `DELETE /api/v1/files/1?workspace_id=1 HTTP/1.1\r\nHost: ${name}\r\nCookie: ${cookie}\r\n${close}\r\n${header}\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200/)
  })

  it('G3: a sign-in requires a content type that forms of other sites cannot send', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/plain; application/json']) {
      const { status } = await proxy.send('POST', '/auth/demo', {
        headers: { 'content-type': type },
        body: '{"email":"alice@rooms.test"}',
      })
      expect(status).toBe(415)
    }
  })
})
