import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ShownReason } from '../contract/refusals.ts'
import { HEADERS } from '../signing/signature.ts'
import { sendAndReuse } from '../wire/testing/reuse.ts'
import { signerOf } from './testing/stand-in-api.ts'
import { startTestProxy, type TestProxy } from './testing/start-proxy.ts'

let proxy: TestProxy
beforeAll(async () => {
  proxy = await startTestProxy()
})
afterAll(() => proxy.close())

const refused = (code: number, reason?: ShownReason) => ({
  error: {
    code,
    message: expect.any(String),
    ...(reason && { reason }),
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  },
})

describe('a call by a signed-in user', () => {
  it('arrives signed as that user, with path and query as sent', async () => {
    const headers = await proxy.signIn()
    const { status, json } = await proxy.send('GET', '/api/v1/files/search?workspace_id=3&q=a%2Fb', { headers })
    expect(status).toBe(200)
    expect(json).toMatchObject({ signed_by: 'alice@rooms.test', url: '/api/v1/files/search?workspace_id=3&q=a%2Fb' })
  })

  it('is signed for 60 seconds', async () => {
    const { json } = await proxy.send('GET', '/api/v1/groups?workspace_id=1', { headers: await proxy.signIn() })
    const { headers } = json as unknown as { headers: Record<string, string> }
    expect(Number(headers[HEADERS.expires]) - Math.floor(proxy.clock.now / 1000)).toBe(60)
  })

  it('A13: forwards no signatures, cookies, hop-by-hop headers or method overrides of the client', async () => {
    const forged = {
      ...(await proxy.signIn()),
      [HEADERS.key]: 'forged',
      [HEADERS.token]: '1'.repeat(40),
      [HEADERS.signature]: 'forged',
      [HEADERS.expires]: '1',
      'x-api-omit-user-tokens': 'false',
      'x-forwarded-for': '6.6.6.6',
      'x-real-ip': '6.6.6.6',
      'x-client-address': '6.6.6.6',
      forwarded: 'for=6.6.6.6',
      'x-http-method-override': 'DELETE',
      'x-request-id': 'forged',
      te: 'trailers',
      'x-original-url': '/api/v1/users',
      authorization: 'Basic Zm9yZ2Vk',
    }
    const { json } = await proxy.send('GET', '/api/v1/groups?workspace_id=1', { headers: forged })
    const { headers, signed_by } = json as unknown as { headers: Record<string, string>; signed_by: string }
    expect(signed_by).toBe('alice@rooms.test')
    expect(JSON.stringify(headers)).not.toMatch(/forged|6\.6\.6\.6/)
    expect(Object.keys(headers).sort()).toEqual(
      [
        'connection',
        'host',
        HEADERS.expires,
        HEADERS.key,
        'x-api-omit-user-tokens',
        'x-api-session',
        'x-client-address',
        HEADERS.signature,
        HEADERS.token,
        'x-forwarded-for',
        'x-request-id',
      ].sort(),
    )
    expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-api-omit-user-tokens': 'true' })
  })

  it('with a chunked body is forwarded', async () => {
    let body = ''
    proxy.api.on('POST /api/v1/folders', (request, reply) => {
      request.on('data', (chunk) => (body += chunk)).on('end', () => reply.end('{}'))
    })
    const socket = await proxy.raw(
      `POST /api/v1/folders HTTP/1.1\r\nHost: ${proxy.host}\r\nOrigin: http://${proxy.host}\r\nConnection: close\r\n` +
        `Cookie: ${(await proxy.signIn()).cookie}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
    )
    expect(socket).toMatch(/^HTTP\/1.1 200/)
    expect(body).toBe('hello')
  })

  it('gets the reply of the service, failures included, without its hop-by-hop headers or cookies', async () => {
    proxy.api.on('GET /api/v1/teams', (_request, reply) => {
      reply.writeHead(409, {
        'Content-Type': 'application/json; charset=UTF-8',
        'X-Total-Count': '7',
        'Set-Cookie': 'a=b',
        Connection: 'close, x-private',
        'X-Private': '1',
      })
      reply.end('{"error":{"code":409,"message":"No."}}')
    })
    const { status, headers, json } = await proxy.send('GET', '/api/v1/teams', { headers: await proxy.signIn() })
    expect({ status, json }).toEqual({ status: 409, json: { error: { code: 409, message: 'No.' } } })
    expect(headers).toMatchObject({ 'x-total-count': '7', 'x-content-type-options': 'nosniff' })
    expect(headers['set-cookie'] ?? headers['x-private']).toBeUndefined()
  })

  it.each([301, 302, 303, 307, 308])('never receives a redirect %i of the service', async (redirect) => {
    proxy.api.on('GET /api/v1/workspaces', (_request, reply) =>
      reply.writeHead(redirect, { Location: 'http://evil.test/' }).end(),
    )
    const { status, headers, json } = await proxy.send('GET', '/api/v1/workspaces?team_id=1', {
      headers: await proxy.signIn(),
    })
    expect({ status, json }).toEqual({ status: 502, json: refused(502) })
    expect(headers['location']).toBeUndefined()
  })

  it('K36: never receives a path that the service meant for a front server', async () => {
    proxy.api.on('GET /content/abc', (_request, reply) =>
      reply.writeHead(200, { 'X-Accel-Redirect': '/internal-content/aa/bb/1', 'Content-Length': 0 }).end(),
    )
    const { status, headers } = await proxy.send('GET', '/content/abc')
    expect([status, headers['x-accel-redirect']]).toEqual([502, undefined])
  })
})

describe('a call outside the contract is never signed', () => {
  it.each([
    ['GET', '/api/v1/secrets'],
    ['GET', '/api/v1/groups/1/2/3'],
    ['GET', '/api/v2/groups'],
    ['GET', '/api/v1/'],
    ['GET', '/api/'],
    ['DELETE', '/api/v1/organization'],
    ['HEAD', '/api/v1/groups'],
    ['GET', '/api/v1/groups/'],
    ['GET', '/api/v1//groups'],
    ['GET', '/api/v1/Groups'],
  ])('%s %s', async (method, path) => {
    const headers = await proxy.signIn()
    const before = proxy.api.seen.length
    const { status } = await proxy.send(method, path, { headers })
    expect([400, 404]).toContain(status)
    expect(proxy.api.seen.length).toBe(before)
  })
})

describe('two users in one browser', () => {
  it('G6: a page of one user does nothing as the other', async () => {
    const { cookie } = await proxy.signIn('bob@rooms.test')
    const { user } = (await proxy.send('GET', '/auth/session', { headers: { cookie } })).json as unknown as {
      user: { id: number }
    }
    const before = proxy.api.seen.length
    for (const person of [String(user.id + 1), '', `0${user.id}`, `${user.id}.0`, `${user.id}, ${user.id}`]) {
      for (const method of ['GET', 'POST']) {
        const headers = { cookie, 'x-signed-in-as': person }
        const { status, json } = await proxy.send(method, '/api/v1/groups?workspace_id=1', { headers })
        expect({ status, json }).toEqual({ status: 412, json: refused(412, 'somebody_else') })
      }
    }
    expect(proxy.api.seen.length).toBe(before)
    const headers = { cookie, 'x-signed-in-as': String(user.id) }
    expect((await proxy.send('GET', '/api/v1/groups?workspace_id=1', { headers })).status).toBe(200)
    expect(proxy.api.seen.at(-1)?.headers['x-signed-in-as']).toBeUndefined()
  })
})

describe('without a session', () => {
  it('a call is refused without asking the service', async () => {
    const before = proxy.api.seen.length
    const { status, json } = await proxy.send('GET', '/api/v1/groups?workspace_id=1')
    expect({ status, json }).toEqual({ status: 401, json: refused(401, 'signed_out') })
    expect(proxy.api.seen.length).toBe(before)
  })

  it('A13: the client’s own signature has no effect', async () => {
    const headers = {
      [HEADERS.key]: 'k',
      [HEADERS.token]: '1'.repeat(40),
      [HEADERS.signature]: 's',
      [HEADERS.expires]: '9',
    }
    expect((await proxy.send('GET', '/api/v1/groups?workspace_id=1', { headers })).status).toBe(401)
  })
})

describe('expiring URLs', () => {
  it('are forwarded unsigned, without cookies, with their range, and never run as a page', async () => {
    let signed: unknown = 'not asked'
    proxy.api.on('GET /content/abc_-123', (request, reply) => {
      signed = signerOf(proxy.api.users, request)
      reply.writeHead(206, { 'Content-Range': 'bytes 0-3/10', 'Content-Type': 'text/html' }).end('part')
    })
    const headers = { ...(await proxy.signIn()), range: 'bytes=0-3', 'sec-fetch-site': 'cross-site' }
    const answer = await proxy.send('GET', '/content/abc_-123', { headers })
    expect(answer).toMatchObject({ status: 206, text: 'part' })
    expect(answer.headers).toMatchObject({
      'content-range': 'bytes 0-3/10',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    const { headers: sent } = proxy.api.seen.at(-1)!
    expect(sent).toMatchObject({ range: 'bytes=0-3' })
    expect(sent.cookie ?? sent[HEADERS.key] ?? signed).toBeUndefined()
  })

  it('answer HEAD with only the length', async () => {
    proxy.api.on('HEAD /content/abc', (_request, reply) => reply.writeHead(200, { 'Content-Length': '12345' }).end())
    const { status, headers, text } = await proxy.send('HEAD', '/content/abc')
    expect({ status, length: headers['content-length'], text }).toEqual({ status: 200, length: '12345', text: '' })
  })

  it.each([
    'script',
    'style',
    'worker',
    'serviceworker',
    'sharedworker',
    'iframe',
    'frame',
    'object',
    'embed',
    'manifest',
  ])('K13: an uploaded file cannot be loaded as %s of a page, which trusts its own origin', async (destination) => {
    const before = proxy.api.seen.length
    const { status } = await proxy.send('GET', '/content/abc', { headers: { 'sec-fetch-dest': destination } })
    expect(status).toBe(403)
    expect(proxy.api.seen.length).toBe(before)
  })

  it.each(['document', 'empty', 'image'])('are fetched as %s', async (destination) => {
    proxy.api.on('GET /content/abc', (_request, reply) => reply.end('bytes'))
    const { text } = await proxy.send('GET', '/content/abc', { headers: { 'sec-fetch-dest': destination } })
    expect(text).toBe('bytes')
  })

  it('refuse other methods', async () => {
    const { status, headers } = await proxy.send('POST', '/content/abc', { body: 'x' })
    expect({ status, allow: headers['allow'] }).toEqual({ status: 405, allow: 'GET, HEAD' })
  })
})

describe('when the service is away', () => {
  it('calls and expiring URLs answer 502 in the contract’s shape, /readyz 503, /healthz still 200', async () => {
    const lonely = await startTestProxy()
    const headers = await lonely.signIn()
    await lonely.api.close()
    for (const path of ['/api/v1/groups?workspace_id=1', '/content/abc']) {
      const { status, json } = await lonely.send('GET', path, { headers })
      expect({ status, json }).toEqual({ status: 502, json: refused(502, 'service_away') })
    }
    expect((await lonely.send('GET', '/readyz')).status).toBe(503)
    expect((await lonely.send('GET', '/healthz')).json).toEqual({ status: 'ok' })
    // The user is not reported as signed out either.
    lonely.clock.now += 61_000
    expect((await lonely.send('GET', '/auth/session', { headers })).status).toBe(502)
    await lonely.close()
  })

  it('J4: requests that the proxy makes itself pass on the service’s 503 with Retry-After', async () => {
    const waiting = await startTestProxy()
    const headers = await waiting.signIn()
    const asked = waiting.api.seen.map(({ method, url }) => `${method} ${new URL(url!, 'http://api').pathname}`)
    for (const target of asked) {
      waiting.api.on(target, (_request, reply) =>
        reply.writeHead(503, { 'Retry-After': '7' }).end(JSON.stringify({ error: { code: 503, message: 'Away.' } })),
      )
    }
    waiting.clock.now += 61_000
    const { status, json, headers: given } = await waiting.send('GET', '/auth/session', { headers })
    expect({ status, json, wait: given['retry-after'] }).toEqual({
      status: 503,
      json: refused(503, 'service_busy'),
      wait: '7',
    })
    await waiting.close()
  })

  it('is ready while the service is', async () => {
    expect((await proxy.send('GET', '/readyz')).json).toEqual({ status: 'ready' })
  })
})

describe('E9: after a refused body the connection closes or answers the next request', () => {
  it.each([10, 100_000, 900_000, 3_000_000])('of %i bytes', async (size) => {
    const { cookie } = await proxy.signIn()
    const own = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    const early = (_request: IncomingMessage, reply: ServerResponse) => reply.writeHead(507).end('{}')
    proxy.api.on('PUT /api/v1/files/upload', early)
    proxy.api.on('PUT /api/v1/uploads/chunk', (request, reply) => request.once('data', () => early(request, reply)))
    const body = Buffer.alloc(size, 'x')
    const cases: [number, string, string, Record<string, string>][] = [
      [401, 'PUT', '/api/v1/files/upload?workspace_id=1&folder_id=1&file_name=a', { 'sec-fetch-site': 'same-origin' }],
      [403, 'PUT', '/api/v1/files/upload?workspace_id=1&folder_id=1&file_name=a', { 'sec-fetch-site': 'cross-site' }],
      [507, 'PUT', '/api/v1/files/upload?workspace_id=1&folder_id=1&file_name=a', own],
      [507, 'PUT', '/api/v1/uploads/chunk?workspace_id=1&id=1&offset=0', own],
      [404, 'POST', '/api/v1/nothing', own],
      [405, 'POST', '/content/abc', own],
      [405, 'POST', '/', own],
      ...(size > 4096 ? ([[413, 'POST', '/auth/demo', own]] as [number, string, string, typeof own][]) : []),
    ]
    for (const [status, method, path, headers] of cases) {
      const [first, second] = await sendAndReuse(proxy.url, { method, path, headers, body })
      expect([path, second]).toEqual([path, 200])
      expect([path, [status, ...(size > 1_000_000 ? [0] : [])]]).toEqual([path, expect.arrayContaining([first])])
    }
  })
})

describe('the address of the client', () => {
  it('is taken from trusted proxies, from the right, and from no other', async () => {
    const behind = await startTestProxy({ TRUSTED_PROXIES: '127.0.0.0/8,10.0.0.0/8' })
    const headers = { ...(await behind.signIn()), 'x-forwarded-for': '6.6.6.6, 203.0.113.9, 10.1.2.3' }
    const { json } = await behind.send('GET', '/api/v1/groups?workspace_id=1', { headers })
    expect(json).toMatchObject({ headers: { 'x-forwarded-for': '203.0.113.9' } })
    await behind.close()
  })
})
