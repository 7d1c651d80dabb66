import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestProxy, type TestProxy } from '../testing/start-proxy.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR

let proxy: TestProxy
beforeEach(async () => {
  proxy = await startTestProxy()
})
afterEach(() => proxy.close())

const call = (headers: { cookie: string }) => proxy.send('GET', '/api/v1/groups?workspace_id=1', { headers })
const cookieIn = (answer: Awaited<ReturnType<typeof call>>) => {
  const header = answer.headers['set-cookie']
  return header === undefined ? undefined : { cookie: String(header).split(';')[0]! }
}

describe('the session cookie', () => {
  it('is out of reach of scripts, other sites and other paths', async () => {
    const { headers } = await proxy.send('POST', '/auth/demo', { json: { email: 'alice@rooms.test' } })
    expect(headers['set-cookie']).toMatch(/^strongroom=[\w-]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/)
  })

  it('is bound to HTTPS and to the host if the public URL is https', async () => {
    const secure = await startTestProxy({ PUBLIC_URL: 'https://rooms.test' })
    const { headers } = await secure.send('POST', '/auth/demo', { json: { email: 'alice@rooms.test' } })
    expect(headers['set-cookie']).toMatch(/^__Host-strongroom=[\w-]+; .*Path=\/; HttpOnly; Secure; SameSite=Strict$/)
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
    await secure.close()
  })

  it('reveals nothing about the user', async () => {
    const { cookie } = await proxy.signIn()
    const bytes = Buffer.from(cookie.split('=')[1]!, 'base64url').toString('latin1')
    expect(bytes).not.toMatch(/alice|rooms|user/)
    expect(cookie).not.toBe((await proxy.signIn()).cookie)
  })

  it('is worthless if changed, cut, doubled or made with another key', async () => {
    const { cookie } = await proxy.signIn()
    const value = cookie.split('=')[1]!
    const sealed = Buffer.from(value, 'base64url')
    const tampered = [0, 11, 12, 20, 27, 28, sealed.length - 1].map((at) => {
      const bytes = Buffer.from(sealed)
      bytes[at]! ^= 1
      return bytes.toString('base64url')
    })
    const other = await startTestProxy({ MASTER_KEY: 'cd'.repeat(32) })
    const foreign = (await other.signIn()).cookie.split('=')[1]!
    await other.close()
    for (const wrong of [...tampered, value.slice(0, -4), value + value, value.slice(0, 20), '', 'null', foreign]) {
      expect((await call({ cookie: `strongroom=${wrong}` })).status).toBe(401)
    }
    expect((await call({ cookie })).status).toBe(200)
  })
})

describe('a session', () => {
  it('ends 12 hours after the last renewal', async () => {
    const session = await proxy.signIn()
    proxy.clock.now += 12 * HOUR
    expect((await call(session)).status).toBe(401)
  })

  it('is renewed by use, but not with every reply', async () => {
    const session = await proxy.signIn()
    expect(cookieIn(await call(session))).toBeUndefined()
    proxy.clock.now += HOUR
    const renewed = cookieIn(await call(session))
    proxy.clock.now += 11.5 * HOUR
    expect((await call(session)).status).toBe(401)
    expect((await call(renewed!)).status).toBe(200)
  })

  it('ends 30 days after the sign-in, however busy it is', async () => {
    const begun = proxy.clock.now
    let session = await proxy.signIn()
    for (;;) {
      const answer = await call(session)
      if (answer.status === 401) break
      session = cookieIn(answer) ?? session
      proxy.clock.now += 6 * HOUR
    }
    expect(proxy.clock.now - begun).toBe(30 * DAY)
  })

  it('that was signed out stays ended, even for copied and renewed cookies', async () => {
    const session = await proxy.signIn()
    proxy.clock.now += HOUR
    const renewed = cookieIn(await call(session))!
    const { status, headers } = await proxy.send('POST', '/auth/sign-out', { headers: session })
    expect(status).toBe(204)
    expect(headers['set-cookie']).toMatch(/^strongroom=; Max-Age=0; Path=\/; HttpOnly; SameSite=Strict$/)
    for (const copy of [session, renewed]) {
      expect((await call(copy)).status).toBe(401)
      expect((await proxy.send('GET', '/auth/session', { headers: copy })).json).toMatchObject({ user: null })
    }
    proxy.clock.now += 11 * HOUR
    expect((await call(renewed)).status).toBe(401)
  })

  it('that was ended elsewhere is over with the next call, and its cookie is removed', async () => {
    const session = await proxy.signIn()
    expect((await call(session)).json).toMatchObject({ headers: { 'x-api-session': '1' } })
    proxy.api.sessions.delete(1)
    expect((await call(session)).status).toBe(401)
    const { json, headers } = await proxy.send('GET', '/auth/session', { headers: session })
    expect(json).toMatchObject({ user: null })
    expect(headers['set-cookie']).toMatch(/^strongroom=; Max-Age=0;/)
  })

  it('is not taken from a header of the client', async () => {
    const session = await proxy.signIn()
    const answer = await proxy.send('GET', '/api/v1/groups?workspace_id=1', {
      headers: { ...session, 'x-api-session': '99' },
    })
    expect(answer.json).toMatchObject({ headers: { 'x-api-session': '1' } })
  })

  it('cannot be begun by a browser, nor can codes be created or tried', async () => {
    const headers = await proxy.signIn('bob@rooms.test')
    for (const [path, json] of [
      ['/api/v1/user/sessions', { method: 'code' }],
      ['/api/v1/sign_in_codes', { email: 'alice@rooms.test' }],
      ['/api/v1/sign_in_codes/redeem', { email: 'alice@rooms.test', code: '100000' }],
    ] as const) {
      expect((await proxy.send('POST', path, { headers, json })).status).toBe(404)
    }
  })

  it('of another user continues when one signs out', async () => {
    const [alice, bob] = [await proxy.signIn(), await proxy.signIn('bob@rooms.test')]
    await proxy.send('POST', '/auth/sign-out', { headers: alice })
    expect((await call(bob)).json).toMatchObject({ signed_by: 'bob@rooms.test' })
  })
})

describe('the user of a session', () => {
  const lookups = () =>
    proxy.api.seen.filter(({ url }) => url!.includes('memberships') || url === '/api/v1/users/me').length

  it('is looked up once a minute, however many concurrent calls there are', async () => {
    const session = await proxy.signIn()
    const before = lookups()
    await Promise.all(Array.from({ length: 20 }, () => call(session)))
    expect(lookups() - before).toBe(1)
    proxy.clock.now += 61_000
    await call(session)
    expect(lookups() - before).toBe(2)
  })

  it('is signed out at most a minute after being deleted', async () => {
    const session = await proxy.signIn()
    expect((await call(session)).status).toBe(200)
    proxy.api.users.splice(
      proxy.api.users.findIndex(({ email }) => email === 'alice@rooms.test'),
      1,
    )
    // The service refuses the token; the next call finds no user.
    expect((await call(session)).status).toBe(401)
    expect((await call(session)).status).toBe(401)
    expect((await proxy.send('GET', '/auth/session', { headers: session })).json).toMatchObject({ user: null })
  })

  it('is not the new holder of the address', async () => {
    const session = await proxy.signIn()
    const [, alice, bob] = proxy.api.users
    proxy.api.users.splice(1, 1)
    bob!.email = alice!.email
    expect((await call(session)).status).toBe(401)
  })

  it('keeps the session when their address changes', async () => {
    const session = await proxy.signIn()
    await call(session)
    proxy.api.users[1]!.email = 'alice.new@rooms.test'
    await proxy.send('PUT', '/api/v1/users/me', { headers: session, json: { user: { email: 'alice.new@rooms.test' } } })
    const answer = await proxy.send('GET', '/auth/session', { headers: session })
    expect(answer.json).toMatchObject({ user: { email: 'alice.new@rooms.test' } })
    expect(cookieIn(answer)).toBeDefined()
  })

  it('is found again after their token was replaced', async () => {
    const session = await proxy.signIn()
    await call(session)
    Object.assign(proxy.api.users[1]!, { user_token: 'a'.repeat(40), jti: 'a'.repeat(40) })
    await call(session)
    expect((await call(session)).json).toMatchObject({ signed_by: 'alice@rooms.test' })
  })
})
