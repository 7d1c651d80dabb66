import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { request } from 'undici'
import { createIdentityProvider, reasonOf } from './oidc.ts'
import { startIdentityProvider, type TestIdentityProvider } from '../testing/identity-provider.ts'
import { type Answer, startTestProxy, type TestProxy } from '../testing/start-proxy.ts'

const PUBLIC_URL = 'http://rooms.test'
const CALLBACK = '/auth/oidc/callback'
const MINUTE = 60_000

let provider: TestIdentityProvider
let proxy: TestProxy
let logged: string[]
beforeEach(async () => {
  provider = await startIdentityProvider(PUBLIC_URL + CALLBACK)
  proxy = await startTestProxy(settings())
  logged = []
  vi.spyOn(console, 'error').mockImplementation((...words: unknown[]) => void logged.push(words.map(String).join(' ')))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await proxy.close()
  await provider.close()
})

const settings = (): NodeJS.ProcessEnv => ({
  PUBLIC_URL,
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: provider.clientId,
  OIDC_CLIENT_SECRET: provider.clientSecret,
  OIDC_NAME: 'Northgate',
})

const cookiesIn = ({ headers }: Answer) => [headers['set-cookie'] ?? []].flat()
const cookieOf = (answer: Answer, name: string) =>
  cookiesIn(answer)
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.split(';')[0]
const FLOW = 'strongroom-oidc'
const linked = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }

interface Started {
  /** The URL at the provider. */
  url: URL
  cookie: string
}

async function start(query = ''): Promise<Started> {
  const answer = await proxy.send('GET', `/auth/oidc${query}`)
  expect(answer.status).toBe(302)
  return { url: new URL(String(answer.headers['location'])), cookie: cookieOf(answer, FLOW) ?? '' }
}

/** Goes through the provider as a browser does. @returns the path with which it comes back */
async function throughProvider(url: URL): Promise<string> {
  const jar = new Map<string, string>()
  for (let at = url; ;) {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const { headers, body } = await request(at, { headers: { cookie } })
    await body.dump()
    for (const each of [headers['set-cookie'] ?? []].flat()) {
      const [name = '', value = ''] = (each.split(';')[0] ?? '').split('=')
      jar.set(name, value)
    }
    at = new URL(String(headers['location']), at)
    if (at.origin === PUBLIC_URL) return at.pathname + at.search
  }
}

const comeBack = (path: string, cookie: string) => proxy.send('GET', path, { headers: { ...linked, cookie } })

async function signIn(query = ''): Promise<Answer> {
  const { url, cookie } = await start(query)
  return comeBack(await throughProvider(url), cookie)
}

const place = ({ status, headers }: Answer) => ({ status, location: headers['location'] })
const FAILED = { status: 302, location: '/sign-in?oidc=failed' }
const REFUSED = { status: 302, location: '/sign-in?oidc=refused' }

/** No user is signed in, and the flow is over. */
function expectNobody(answer: Answer): void {
  expect(cookiesIn(answer)).toEqual([`${FLOW}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`])
  expect(proxy.api.sessions.size).toBe(0)
}

describe('signing in through the identity provider', () => {
  it('is offered by its name', async () => {
    expect((await proxy.send('GET', '/auth/session')).json).toMatchObject({ oidc: { name: 'Northgate' } })
  })

  it('sends the user there with PKCE, a state and a nonce, and no secrets', async () => {
    const { url } = await start()
    expect(url.origin).toBe(provider.issuer)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: provider.clientId,
      response_type: 'code',
      redirect_uri: PUBLIC_URL + CALLBACK,
      scope: 'openid email',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
  })

  it('begins a session of the user with that address and continues to the wanted page', async () => {
    const answer = await signIn('?to=%2Fworkspaces%2F3%2Fsearch%3Fq%3Da%2520b')
    expect(place(answer)).toEqual({ status: 302, location: '/workspaces/3/search?q=a%20b' })
    const cookie = cookieOf(answer, 'strongroom') ?? ''
    expect(cookiesIn(answer)).toContainEqual(expect.stringMatching(/^strongroom=.*; HttpOnly; SameSite=Strict$/))
    const session = await proxy.send('GET', '/auth/session', { headers: { cookie } })
    expect(session.json).toMatchObject({ user: { email: 'alice@rooms.test', status: 'active', user_token: '' } })
    expect([...proxy.api.sessions.values()]).toEqual([{ user_id: 2, method: 'oidc', user_agent: '' }])
    expect(logged).toEqual([])
  })

  it('ignores the case of the address', async () => {
    provider.account = { email: 'Alice@Rooms.TEST', email_verified: true }
    expect(place(await signIn())).toEqual({ status: 302, location: '/' })
  })

  it('ends the previous session of this browser', async () => {
    const former = await proxy.signIn('bob@rooms.test')
    const begun = await proxy.send('GET', '/auth/oidc', { headers: former })
    const arrived = await throughProvider(new URL(String(begun.headers['location'])))
    expect(place(await comeBack(arrived, cookieOf(begun, FLOW) ?? ''))).toEqual({ status: 302, location: '/' })
    expect((await proxy.send('GET', '/auth/session', { headers: former })).json).toMatchObject({ user: null })
  })

  it('may be begun by a link of another site, but by no other request from there', async () => {
    const begun = await proxy.send('GET', '/auth/oidc', { headers: linked })
    // In the window of a sealed document, the flow must lead back to the window's opener.
    expect([begun.status, begun.headers['cross-origin-opener-policy']]).toEqual([302, 'unsafe-none'])
    for (const mode of ['no-cors', 'cors']) {
      const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': mode }
      expect((await proxy.send('GET', '/auth/oidc', { headers })).status).toBe(403)
    }
    expect((await proxy.send('GET', '/auth/session', { headers: linked })).status).toBe(403)
    expect((await proxy.send('POST', '/auth/oidc')).status).toBe(405)
  })

  it.each([
    '//evil.test',
    '/\\evil.test',
    'https://evil.test',
    '/%09/evil.test/../..//evil.test',
    '/a\r\nSet-Cookie: b',
    '/auth/oidc',
    '/api/v1/users/me',
    '/..//evil.test',
    '/./\\evil.test',
    'javascript:alert(1)',
    '',
  ])('continues only to pages of our own: %j', async (to) => {
    const location = String((await signIn(`?to=${encodeURIComponent(to)}`)).headers['location'])
    expect(new URL(location, PUBLIC_URL).origin).toBe(PUBLIC_URL)
    expect(location).not.toMatch(/^\/(auth|api)|^\/[/\\]/)
  })

  it('keeps its state unreadable for scripts, other sites and users, for ten minutes', async () => {
    const answer = await proxy.send('GET', '/auth/oidc')
    expect(cookiesIn(answer)).toEqual([
      expect.stringMatching(/^strongroom-oidc=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    const { searchParams } = new URL(String(answer.headers['location']))
    const bytes = Buffer.from(cookieOf(answer, FLOW)?.split('=')[1] ?? '', 'base64url').toString('latin1')
    expect(bytes).not.toContain(searchParams.get('state'))
  })
})

describe('an address missing from the token', () => {
  it('is requested from the provider', async () => {
    await provider.close()
    await proxy.close()
    provider = await startIdentityProvider(PUBLIC_URL + CALLBACK, { claimsInToken: false, postOnly: true })
    proxy = await startTestProxy(settings())
    expect(place(await signIn())).toEqual({ status: 302, location: '/' })
  })
})

describe('a sign-in refused', () => {
  it.each([
    ['an address that is nobody’s', { email: 'nobody@rooms.test', email_verified: true }],
    ['an address that was not verified', { email: 'alice@rooms.test', email_verified: false }],
    ['an address of which nothing is said', { email: 'alice@rooms.test' }],
    ['no address', {}],
  ])('has the same message for %s', async (_, account) => {
    provider.account = account
    const answer = await signIn()
    expect(place(answer)).toEqual(REFUSED)
    expectNobody(answer)
  })

  it('by the provider ends on the sign-in page', async () => {
    provider.denies = true
    const answer = await signIn('?to=%2Faccount')
    expect(place(answer)).toEqual({ status: 302, location: '/sign-in?oidc=refused&to=%2Faccount' })
    expectNobody(answer)
  })
})

describe('an invalid answer fails:', () => {
  const claims = {
    'of another issuer': { iss: 'http://127.0.0.1:1' },
    'for another audience': { aud: 'somebody-else' },
    'of another sign-in': { nonce: 'x'.repeat(43) },
    'without a nonce': { nonce: undefined },
    'that has expired': { exp: Math.floor(Date.now() / 1000) - 3600 },
    'issued for several, and not to us': { aud: ['strongroom', 'other'], azp: 'other' },
  }
  it.each(Object.entries(claims))('a token %s', async (_, change) => {
    provider.changeClaims = (before) => ({ ...before, ...change })
    const answer = await signIn()
    expect(place(answer)).toEqual(FAILED)
    expectNobody(answer)
  })

  const tokens: Record<string, (token: string) => string> = {
    'with a broken signature': (token) => `${token.slice(0, -8)}AAAAAAAA`,
    'without a signature': (token) => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`,
    'with other claims than were signed': (token) => {
      const [head = '', body = '', signature = ''] = token.split('.')
      const changed = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>
      const forged = Buffer.from(JSON.stringify({ ...changed, email: 'bob@rooms.test' })).toString('base64url')
      return [head, forged, signature].join('.')
    },
    'that is none': () => 'x.y.z',
  }
  it.each(Object.entries(tokens))('a token %s', async (_, change) => {
    provider.changeToken = change
    const answer = await signIn()
    expect(place(answer)).toEqual(FAILED)
    expectNobody(answer)
  })

  it('another state', async () => {
    const { url, cookie } = await start()
    const path = await throughProvider(url)
    const answer = await comeBack(path.replace(/state=[^&]+/, `state=${'x'.repeat(43)}`), cookie)
    expect(place(answer)).toEqual(FAILED)
    expectNobody(answer)
  })

  it('the code of another user’s sign-in', async () => {
    const [own, others] = [await start(), await start()]
    const code = new URL(await throughProvider(others.url), PUBLIC_URL).searchParams.get('code') ?? ''
    const path = (await throughProvider(own.url)).replace(/code=[^&]+/, `code=${code}`)
    const answer = await comeBack(path, own.cookie)
    expect(place(answer)).toEqual(FAILED)
    expectNobody(answer)
  })

  it('an answer that names another issuer', async () => {
    const { url, cookie } = await start()
    const path = await throughProvider(url)
    expect(path).toContain('iss=')
    const answer = await comeBack(path.replace(/iss=[^&]+/, 'iss=http%3A%2F%2Fevil.test'), cookie)
    expect(place(answer)).toEqual(FAILED)
    expectNobody(answer)
  })

  it.each(['', '?', '?code=x', '?error=access_denied', '?error=server_error&error_description=%3Cscript%3E'])(
    'a return without a flow, with %j',
    async (query) => {
      const answer = await comeBack(CALLBACK + query, '')
      expect(place(answer)).toEqual(FAILED)
      expectNobody(answer)
    },
  )

  it('a cookie of another key, or another cookie of ours', async () => {
    const { url, cookie } = await start()
    const path = await throughProvider(url)
    const session = (await proxy.signIn()).cookie.split('=')[1] ?? ''
    for (const wrong of [`${FLOW}=${session}`, `${cookie.slice(0, -4)}AAAA`, `${FLOW}=`]) {
      expect(place(await comeBack(path, wrong))).toEqual(FAILED)
    }
    expect(place(await comeBack(path, cookie))).toEqual({ status: 302, location: '/' })
  })

  it('the same answer again', async () => {
    const { url, cookie } = await start()
    const path = await throughProvider(url)
    expect(place(await comeBack(path, cookie))).toEqual({ status: 302, location: '/' })
    expect(place(await comeBack(path, cookie))).toEqual(FAILED)
    expect(proxy.api.sessions.size).toBe(1)
  })

  it('an answer after ten minutes', async () => {
    const { url, cookie } = await start()
    const path = await throughProvider(url)
    proxy.clock.now += 10 * MINUTE
    expect(place(await comeBack(path, cookie))).toEqual(FAILED)
  })
})

describe('an unavailable provider', () => {
  it('prevents neither the start nor other sign-ins, and is tried again', async () => {
    const { port } = new URL(provider.issuer)
    await provider.close()
    const answer = await proxy.send('GET', '/auth/oidc?to=%2Faccount')
    expect(place(answer)).toEqual({ status: 302, location: '/sign-in?oidc=failed&to=%2Faccount' })
    expect((await proxy.signIn()).cookie).toMatch(/^strongroom=/)
    expect(logged).toEqual([expect.stringMatching(/^proxy: the sign-in through .* failed: .*ECONNREFUSED/)])

    provider = await startIdentityProvider(PUBLIC_URL + CALLBACK, { port: Number(port) })
    expect(place(await signIn())).toEqual({ status: 302, location: '/' })
  })

  it('is reported to returning users', async () => {
    const { url, cookie } = await start()
    const path = await throughProvider(url)
    await provider.close()
    const answer = await comeBack(path, cookie)
    expect(place(answer)).toEqual(FAILED)
    expectNobody(answer)
  })

  it('times out', async () => {
    const { issuer, clientId, clientSecret } = provider
    const options = { issuer, clientId, clientSecret, name: '' }
    const create = (seconds?: number) =>
      createIdentityProvider(options, PUBLIC_URL + CALLBACK, () => new Date(), seconds)
    provider.silentAt = '/.well-known/openid-configuration'
    await expect(create(0.2).begin().catch(reasonOf)).resolves.toContain('OAUTH_TIMEOUT')
    provider.silentAt = undefined
    const { url, flow } = await create().begin()
    const arrived = new URL(await throughProvider(url), PUBLIC_URL)
    provider.silentAt = '/token'
    await expect(create(0.2).finish(arrived, flow).catch(reasonOf)).resolves.toContain('OAUTH_TIMEOUT')
  })
})

describe('the log', () => {
  it('names the failure and its kind, and contains nothing that was sent', async () => {
    provider.changeClaims = (claims) => ({ ...claims, nonce: 'y'.repeat(43) })
    const { url, cookie } = await start()
    const path = await throughProvider(url)
    await comeBack(path, cookie)
    await comeBack(`${CALLBACK}?error=secretword%0A`, (await start()).cookie)
    expect(logged).toHaveLength(2)
    expect(logged[0]).toMatch(/^proxy: the sign-in through the identity provider in request [\w-]{36} failed: OAUTH_/)
    const { searchParams } = new URL(path, PUBLIC_URL)
    const secrets = [searchParams.get('code') ?? '-', provider.clientSecret, 'y'.repeat(43), 'alice', 'secretword']
    for (const secret of secrets) expect(logged.join('\n')).not.toContain(secret)
  })
})

describe('without a provider', () => {
  it('there is no such route', async () => {
    const plain = await startTestProxy()
    expect((await plain.send('GET', '/auth/oidc')).status).toBe(404)
    expect((await plain.send('GET', CALLBACK)).status).toBe(404)
    await plain.close()
  })
})

describe('too many flows', () => {
  it('from one address end on the sign-in page', async () => {
    for (let n = 0; n < 60; n++) await start()
    expect(place(await proxy.send('GET', '/auth/oidc'))).toEqual(FAILED)
    proxy.clock.now += 15 * MINUTE
    await start()
  })
})
