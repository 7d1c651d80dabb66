import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { api } from '../contract/index.ts'
import { API_PREFIX } from '../contract/url.ts'
import { mayBePassedOn } from './sign.ts'
import { startTestProxy, type TestProxy } from './testing/start-proxy.ts'

// A page of another site can make a signed-in user's browser do nothing here.

let proxy: TestProxy
let cookie: string
beforeAll(async () => {
  proxy = await startTestProxy({ PUBLIC_URL: 'https://rooms.test' })
  ;({ cookie } = await proxy.signIn())
})
afterAll(() => proxy.close())

/** Every endpoint that browsers may call, with a number for each path parameter. */
const ENDPOINTS = Object.entries(api).flatMap(([section, endpoints]) =>
  Object.entries<AnyEndpoint>(endpoints)
    .map(([name, { method, path }]) => ({
      name: `${section}.${name}`,
      method,
      path: API_PREFIX + path.replaceAll(/:\w+|\{\w+\}/g, '1'),
    }))
    .filter(({ method, path }) => mayBePassedOn(method, path)),
)

const CHANGES = [
  ...ENDPOINTS.filter(({ method }) => method !== 'GET'),
  ...['/auth/code', '/auth/sign-in', '/auth/demo', '/auth/sign-out'].map((path) => ({
    name: path,
    method: 'POST',
    path,
  })),
]

/** How a browser announces a page of another site; the last one does not announce it. */
const OTHER_SITES: Record<string, string>[] = [
  { origin: 'https://evil.test' },
  { origin: 'https://evil.test', 'sec-fetch-site': 'same-origin' },
  { origin: 'https://rooms.test.evil.test' },
  { origin: 'https://evil.test/https://rooms.test' },
  { origin: 'http://rooms.test' },
  { origin: 'https://rooms.test:8443' },
  { origin: 'https://rooms.test, https://evil.test' },
  { origin: 'null' },
  { origin: '' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'same-origin, cross-site' },
  {},
]

/** Content types of bodies that a form or a `no-cors` request may send. */
const SIMPLE_TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', undefined]

async function ask(method: string, path: string, headers: Record<string, string>, body = ''): Promise<string> {
  const all = {
    Host: 'rooms.test',
    Cookie: cookie,
    Connection: 'close',
    'Content-Length': String(body.length),
    ...headers,
  }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return proxy.raw(`${method} ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`)
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])

describe('requests of other sites', () => {
  it('cover all endpoints', () => {
    expect(ENDPOINTS.length).toBeGreaterThan(80)
  })

  it.each(CHANGES)('G3: change nothing through $name', async ({ method, path }) => {
    const before = proxy.api.seen.length
    for (const [at, site] of OTHER_SITES.entries()) {
      const type = SIMPLE_TYPES[at % SIMPLE_TYPES.length]
      const answer = await ask(method, path, { ...site, ...(type !== undefined && { 'Content-Type': type }) }, '{}')
      expect([site, statusOf(answer)]).toEqual([site, 403])
      expect(answer).not.toMatch(/^(set-cookie|access-control-|location):/im)
    }
    expect(proxy.api.seen.length).toBe(before)
  })

  it('G3: read nothing, with or without CORS', async () => {
    const before = proxy.api.seen.length
    const sites = OTHER_SITES.filter((site) => Object.keys(site).length > 0 && site['origin'] !== '')
    for (const { path } of ENDPOINTS.filter(({ method }) => method === 'GET')) {
      for (const site of sites.slice(0, 3).concat(sites.slice(-3))) {
        const answer = await ask('GET', path, site)
        expect([path, site, statusOf(answer)]).toEqual([path, site, 403])
        expect(answer).not.toMatch(/^access-control-/im)
      }
    }
    expect(proxy.api.seen.length).toBe(before)
  })

  it.each(['/api/v1/teams', '/auth/session', '/auth/sign-out', '/content/abc'])(
    'G3: a preflight for %s allows nothing',
    async (path) => {
      const preflight = {
        Origin: 'https://evil.test',
        'Access-Control-Request-Method': 'DELETE',
        'Access-Control-Request-Headers': 'x-api-key, content-type',
        'Access-Control-Request-Private-Network': 'true',
      }
      const answer = await ask('OPTIONS', path, preflight)
      expect(statusOf(answer)).toBe(405)
      expect(answer).not.toMatch(/^access-control-/im)
    },
  )
})

describe('a method other than that of the request line', () => {
  it.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', '_method'])(
    'G3: is not taken from %s',
    async (name) => {
      const own = { Origin: 'https://rooms.test', [name]: 'DELETE' }
      for (const method of ['GET', 'POST']) {
        await ask(method, `/api/v1/files/1?workspace_id=1&${name}=DELETE`, own)
        expect(proxy.api.seen.filter((seen) => seen.method === 'DELETE')).toEqual([])
        expect(proxy.api.seen.at(-1)?.headers[name.toLowerCase()]).toBeUndefined()
      }
    },
  )
})

describe('the page wanted before the sign-in', () => {
  const HOSTILE = [
    '//evil.test',
    '///evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '/%5cevil.test/../../..//evil.test',
    'https://evil.test',
    'https:evil.test',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)//',
    'data:text/html,x',
    '/\t/evil.test',
    '/\n/evil.test',
    '\u0000//evil.test',
    ' //evil.test',
    '/.//evil.test',
    '/..//evil.test',
    '/a/..//evil.test',
    '/./\\evil.test',
    '/%2e/%2f/evil.test/..//..//..//evil.test',
    '/@evil.test/..//evil.test',
    'rooms.test.evil.test',
    '@evil.test',
    '.evil.test',
    '/auth/oidc?to=/',
    '/auth/sign-out',
    '/api/v1/teams',
    '/content/abc',
  ]

  it.each(HOSTILE)('G3: %j leads to no other site', async (to) => {
    const { ownPath } = await import('./own-path.ts')
    const url = new URL(ownPath(to), 'https://rooms.test')
    expect(url.origin).toBe('https://rooms.test')
    expect(url.pathname).not.toMatch(/^\/(auth|api|content)\//)
  })

  it.each(['/', '/account', '/workspaces/5/files/7?sort=name#top', '/sealed/open?workspace=1&copy=c&challenge=d'])(
    'stays %s',
    async (to) => {
      const { ownPath } = await import('./own-path.ts')
      expect(ownPath(to)).toBe(to)
    },
  )
})
