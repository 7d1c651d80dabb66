import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { startTestProxy, type TestProxy } from '../testing/start-proxy.ts'

let proxy: TestProxy
beforeEach(async () => {
  proxy = await startTestProxy()
  cookie = `strongroom-code=${'C'.repeat(43)}`
})
afterEach(() => proxy.close())

const MINUTE = 60_000
/** The browser of a test: it keeps the cookie of the last requested code. */
let cookie = ''
async function askCode(email: string) {
  const answer = await proxy.askCode(email)
  if (answer.status === 204) cookie = answer.cookie
  return answer
}
const signIn = (email: string, code: string | undefined, headers = { cookie }) =>
  proxy.send('POST', '/auth/sign-in', { json: { email, code }, headers })

/** Mails are sent after the reply. */
async function freshCode(email: string): Promise<string> {
  const before = await proxy.codeFor(email)
  await askCode(email)
  return expect
    .poll(() => proxy.codeFor(email))
    .not.toBe(before)
    .then(async () => (await proxy.codeFor(email))!)
}

describe('signing in by code', () => {
  it('mails six digits, accepts them once and marks the user as active', async () => {
    const code = await freshCode('alice@rooms.test')
    const { status, json, headers } = await signIn('alice@rooms.test', code)
    expect(status).toBe(200)
    expect(json).toMatchObject({ user: { email: 'alice@rooms.test', status: 'active', user_token: '', jti: '' } })
    const last = proxy.api.seen.slice(-2).map(({ method, url }) => `${method} ${url}`)
    expect(last).toEqual(['POST /api/v1/users/me/sign_in', 'POST /api/v1/user/sessions'])
    expect([...proxy.api.sessions.values()]).toEqual([{ user_id: 2, method: 'code', user_agent: '' }])
    const cookie = headers['set-cookie']![0]!.split(';')[0]!
    const session = await proxy.send('GET', '/auth/session', { headers: { cookie } })
    expect(session.json).toMatchObject({ user: { email: 'alice@rooms.test', user_token: '' } })
    expect(session.text).not.toContain('2'.repeat(40))
    expect((await signIn('alice@rooms.test', code)).status).toBe(401)
  })

  it('ignores case and spaces', async () => {
    const code = await freshCode('alice@rooms.test')
    expect((await signIn(' Alice@Rooms.TEST ', ` ${code} `)).status).toBe(200)
  })

  it('refuses a code for another address', async () => {
    const code = await freshCode('alice@rooms.test')
    expect((await signIn('bob@rooms.test', code)).status).toBe(401)
  })

  test('K11: accepts the code only in the browser that requested it', async () => {
    const code = await freshCode('alice@rooms.test')
    const own = cookie
    const { cookie: other } = await proxy.askCode('bob@rooms.test')
    for (const theirs of ['', other, 'strongroom-code=', `strongroom-code=${'A'.repeat(43)}`]) {
      const { status, json, headers } = await signIn('alice@rooms.test', code, { cookie: theirs })
      expect([status, headers['set-cookie']]).toEqual([401, undefined])
      expect(json).toMatchObject({ error: { message: expect.stringContaining('in another browser') } })
    }
    const { status, headers } = await signIn('alice@rooms.test', code, { cookie: own })
    expect(status).toBe(200)
    expect(headers['set-cookie']![1]).toMatch(/^strongroom-code=;.*Max-Age=0/i)
  })

  test('K17: accepts the code of each browser that requested one, whatever was requested later', async () => {
    const code = await freshCode('alice@rooms.test')
    const own = cookie
    const later = await freshCode('alice@rooms.test')
    expect((await signIn('alice@rooms.test', later, { cookie: own })).status).toBe(401)
    expect((await signIn('alice@rooms.test', code, { cookie: own })).status).toBe(200)
    expect((await signIn('alice@rooms.test', later)).status).toBe(200)
  })

  test('K11: a cookie planted in the browser is replaced when a code is requested', async () => {
    const planted = `strongroom-code=${'B'.repeat(43)}`
    const asked = await proxy.send('POST', '/auth/code', {
      json: { email: 'alice@rooms.test' },
      headers: { cookie: planted },
    })
    expect(String(asked.headers['set-cookie'])).toMatch(/^strongroom-code=[\w-]{43};.*HttpOnly.*SameSite=Strict/)
    expect(String(asked.headers['set-cookie'])).not.toContain(planted)
    await expect.poll(() => proxy.codeFor('alice@rooms.test')).toBeDefined()
    const code = await proxy.codeFor('alice@rooms.test')
    expect((await signIn('alice@rooms.test', code, { cookie: planted })).status).toBe(401)
  })

  test('K11: the cookie is bound to the host if the dashboard is served with TLS', async () => {
    const secure = await startTestProxy({ PUBLIC_URL: 'https://rooms.test' })
    const { headers } = await secure.send('POST', '/auth/code', {
      json: { email: 'alice@rooms.test' },
      headers: { host: 'rooms.test' },
    })
    expect(String(headers['set-cookie'])).toMatch(/^__Host-strongroom-code=.*Secure/)
    await secure.close()
  })

  it('vouches to the service for a proof that the service did not see', async () => {
    await proxy.signIn('bob@rooms.test')
    const calls = proxy.api.seen.map(({ method, url }) => `${method} ${url}`)
    expect(calls).toContain('POST /api/v1/sign_in_codes/vouch')
  })

  test('K4: continues with the new token if the proof of an address replaced the old one', async () => {
    const former = await proxy.signIn('bob@rooms.test')
    expect((await proxy.send('GET', '/auth/session', { headers: former })).json).toMatchObject({ user: { id: 3 } })
    proxy.api.unproved.add('bob@rooms.test')
    const headers = await proxy.signIn('bob@rooms.test')
    expect((await proxy.send('GET', '/api/v1/users/me', { headers })).status).toBe(200)
    expect((await proxy.send('GET', '/auth/session', { headers })).json).toMatchObject({ user: { id: 3 } })
  })

  it('sends the user agent to the service, without invalid characters', async () => {
    const headers = { 'user-agent': `Mozilla/5.0 \u00e9(X11)${'x'.repeat(600)}` }
    await proxy.send('POST', '/auth/demo', { headers, json: { email: 'alice@rooms.test' } })
    const [session] = proxy.api.sessions.values()
    expect(session).toMatchObject({
      method: 'demo',
      user_agent: expect.stringMatching(/^Mozilla\/5\.0 \(X11\)x{483}$/),
    })
  })

  it('ends the previous session of this browser', async () => {
    const before = await proxy.signIn('bob@rooms.test')
    await proxy.send('POST', '/auth/demo', { headers: before, json: { email: 'alice@rooms.test' } })
    expect((await proxy.send('GET', '/auth/session', { headers: before })).json).toMatchObject({ user: null })
  })

  it.each([
    ['a body that is no JSON', '{', 400],
    ['no object', '"x"', 422],
    ['no address', '{}', 422],
    ['an address that is none', '{"email":"alice"}', 422],
    ['two addresses', '{"email":"alice@rooms.test,bob@rooms.test"}', 422],
    ['a line break', '{"email":"alice@rooms.test\\r\\nBcc: e@rooms.test"}', 422],
    ['a large body', `{"email":"${'a'.repeat(5000)}@rooms.test"}`, 413],
  ])('refuses %s', async (_, body, status) => {
    const answer = await proxy.send('POST', '/auth/code', { headers: { 'content-type': 'application/json' }, body })
    expect(answer.status).toBe(status)
    expect(answer.json).toMatchObject({ error: { code: status } })
    expect(await proxy.mails()).toEqual([])
  })
})

describe('the existence of an account', () => {
  it('J1: is not revealed by the replies', async () => {
    const known = await askCode('alice@rooms.test')
    const unknown = await askCode('nobody@rooms.test')
    const comparable = ({ status, text, headers }: typeof known) => ({
      status,
      text,
      names: Object.keys(headers).sort(),
    })
    expect(comparable(unknown)).toEqual(comparable(known))
    expect(known.status).toBe(204)
    const tries = [await signIn('alice@rooms.test', '12345x'), await signIn('nobody@rooms.test', '12345x')]
    expect(tries.map(({ status }) => status)).toEqual([422, 422])
    expect((await signIn('nobody@rooms.test', '000000')).status).toBe(401)
  })

  it('J1: is not revealed by time: the reply comes before the lookup', async () => {
    const asked: ServerResponse[] = []
    proxy.api.on('GET /api/v1/organization/memberships', (_request, reply) => void asked.push(reply))
    expect((await askCode('alice@rooms.test')).status).toBe(204)
    await expect.poll(() => asked.length).toBe(1)
    asked[0]?.end('{"memberships":[],"users":[]}')
  })

  it('is required for a mail: an unknown address gets none', async () => {
    await askCode('nobody@rooms.test')
    await freshCode('alice@rooms.test')
    expect(await proxy.mails()).toHaveLength(1)
  })
})

describe('too many attempts', () => {
  it('five codes in 15 minutes for one address, known or not', async () => {
    for (const email of ['alice@rooms.test', 'nobody@rooms.test']) {
      for (let n = 0; n < 5; n++) expect((await askCode(email)).status).toBe(204)
      const { status, headers } = await askCode(email.toUpperCase())
      expect({ status, wait: Number(headers['retry-after']) }).toEqual({ status: 429, wait: 180 })
    }
    proxy.clock.now += 3 * MINUTE
    expect((await askCode('alice@rooms.test')).status).toBe(204)
    expect((await askCode('alice@rooms.test')).status).toBe(429)
  })

  it('twenty codes in 15 minutes from one client address', async () => {
    for (let n = 0; n < 20; n++) expect((await askCode(`person${n}@rooms.test`)).status).toBe(204)
    expect((await askCode('alice@rooms.test')).status).toBe(429)
  })

  it('sixty sign-ins an hour from one client address', async () => {
    for (let n = 0; n < 60; n++) await signIn(`person${n}@rooms.test`, '000000')
    const { status, headers } = await signIn('alice@rooms.test', '000000')
    expect({ status, wait: Number(headers['retry-after']) }).toEqual({ status: 429, wait: 60 })
  })

  it('a locked address reports for how long, to any caller, and its user is mailed once', async () => {
    const redeem = (locked_now: boolean) =>
      proxy.api.on('POST /api/v1/sign_in_codes/redeem', (_request, reply) =>
        reply.end(JSON.stringify({ outcome: 'locked', retry_after: 3000, locked_now })),
      )
    redeem(true)
    const known = await signIn('alice@rooms.test', '000000')
    const unknown = await signIn('nobody@rooms.test', '000000')
    for (const { status, headers, json } of [known, unknown]) {
      expect({ status, wait: headers['retry-after'] }).toEqual({ status: 429, wait: '3000' })
      const message = 'Too many wrong codes were entered for this address. Try again in 50 minutes.'
      expect(json).toMatchObject({ error: { message } })
    }
    await expect.poll(() => proxy.mails()).toHaveLength(1)
    redeem(false)
    expect((await signIn('alice@rooms.test', '000000')).status).toBe(429)
    await freshCode('bob@rooms.test')
    const mails = await proxy.mails()
    expect(mails.filter((mail) => mail.includes('To: alice@rooms.test'))).toHaveLength(1)
  })

  it('a locked address gets no code', async () => {
    proxy.api.on('POST /api/v1/sign_in_codes', (_request, reply) =>
      reply.writeHead(201).end('{"code":null,"retry_after":60}'),
    )
    const { status, json } = await askCode('alice@rooms.test')
    expect({ status, json }).toMatchObject({
      status: 429,
      json: { error: { message: expect.stringContaining('in a minute') } },
    })
  })

  it('a forged client address does not help', async () => {
    for (let n = 0; n < 20; n++) {
      await proxy.send('POST', '/auth/code', {
        headers: { 'x-forwarded-for': `10.0.0.${n}` },
        json: { email: `p${n}@rooms.test` },
      })
    }
    const headers = { 'x-forwarded-for': '10.9.9.9' }
    expect((await proxy.send('POST', '/auth/code', { headers, json: { email: 'q@rooms.test' } })).status).toBe(429)
  })
})

describe('the link of an invitation', () => {
  const open = (json: object) => proxy.send('POST', '/auth/invitation', { json })
  const answer = (invitation: object | null) =>
    proxy.api.on('POST /api/v1/sign_in_codes/invitation', (_request, reply) =>
      reply.end(JSON.stringify({ invitation })),
    )
  const invitation = {
    email: 'alice@rooms.test',
    workspace_id: 5,
    workspace_name: 'Harbour',
    description: '',
    expectation: '',
    inviter: 'Marta',
    message: '',
    invited_at: '2026-01-05T08:00:00.000Z',
    groups: [],
    access_ends_at: null,
    terms_await: false,
    look: null,
    logos: { light: null, dark: null },
  }

  it('is shown to its holder, without a session', async () => {
    answer(invitation)
    const { status, json, headers } = await open({ token: '5.token' })
    expect({ status, json, cookie: headers['set-cookie'] }).toEqual({
      status: 200,
      json: { invitation },
      cookie: undefined,
    })
  })

  test('K74: tells nothing for any token that is not valid, and only sixty times in 15 minutes', async () => {
    answer(null)
    for (let n = 0; n < 60; n++) expect((await open({ token: `5.${n}` })).json).toEqual({ invitation: null })
    answer(invitation)
    expect((await open({ token: '5.token' })).status).toBe(429)
  })

  it('needs a token of a sensible length', async () => {
    for (const json of [{}, { token: 5 }, { token: 'a'.repeat(101) }]) expect((await open(json)).status).toBe(422)
    expect(proxy.api.seen).toEqual([])
  })
})

describe('the demo', () => {
  it('offers its users by name and role', async () => {
    expect((await proxy.send('GET', '/auth/session')).json).toEqual({
      user: null,
      demo_people: [
        { email: 'alice@rooms.test', name: 'alice Example', role: 'Seller – runs the room', role_code: null },
        { email: 'bob@rooms.test', name: 'bob Example', role: '', role_code: null },
      ],
      oidc: null,
    })
  })

  it('signs in only its own users', async () => {
    for (const email of ['admin@rooms.test', 'nobody@rooms.test']) {
      expect((await proxy.send('POST', '/auth/demo', { json: { email } })).status).toBe(404)
    }
  })

  it('is closed if no users are configured', async () => {
    const real = await startTestProxy({ DEMO_PEOPLE: '' })
    expect((await real.send('GET', '/auth/session')).json).toEqual({ user: null, demo_people: [], oidc: null })
    expect((await real.send('POST', '/auth/demo', { json: { email: 'alice@rooms.test' } })).status).toBe(404)
    await real.close()
  })
})

describe('the routes', () => {
  it('accept only their own methods', async () => {
    expect((await proxy.send('GET', '/auth/code')).status).toBe(405)
    expect((await proxy.send('POST', '/auth/session')).status).toBe(405)
    expect((await proxy.send('GET', '/auth/other')).status).toBe(404)
  })

  it('pass on that the service asks to wait', async () => {
    proxy.api.on('POST /api/v1/sign_in_codes', (_request, reply) =>
      reply.writeHead(429, { 'Retry-After': '7' }).end('{"error":{"code":429,"message":"Too many requests."}}'),
    )
    const { status, headers } = await askCode('alice@rooms.test')
    expect({ status, wait: headers['retry-after'] }).toEqual({ status: 429, wait: '7' })
  })

  it('report that the service is away, and promise neither a mail nor the end of a session', async () => {
    const headers = await proxy.signIn()
    await proxy.api.close()
    expect((await askCode('alice@rooms.test')).status).toBe(502)
    expect((await proxy.send('POST', '/auth/sign-out', { headers })).status).toBe(502)
  })
})
