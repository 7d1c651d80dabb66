import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { api } from '../../contract/index.ts'
import { requestOf } from '../../client/request.ts'
import { sweepCodes } from '../store/people/sign-in-codes.ts'
import { startTestService, type TestService } from '../testing/start-service.ts'
import { createPerson } from '../testing/world.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())
afterEach(() => service.setClock(undefined))

const { signInCodes } = api
const MINUTE = 60_000

let serial = 0
const someAddress = () => `person${++serial}@example.com`

const create = (email: string) => service.admin.call(signInCodes.create, { body: { email } })
const codeOf = async (email: string) => (await create(email)).code ?? ''
const redeem = (email: string, code: string) => service.admin.call(signInCodes.redeem, { body: { email, code } })
const wrongFor = (code: string) => (code === '000000' ? '000001' : '000000')

async function redeemAfter(milliseconds: number, email: string, code: string): Promise<string> {
  const now = Date.now() + milliseconds
  service.setClock(new Date(now))
  const { path, init } = requestOf(signInCodes.redeem, { body: { email, code } })
  const response = await service.admin.fetch(path, init, now)
  service.setClock(undefined)
  return ((await response.json()) as { outcome: string }).outcome
}

/** Makes wrong attempts, five for each code, with as many codes as needed. */
async function guessWrong(email: string, times: number) {
  let code = ''
  let last
  for (let n = 0; n < times; n++) {
    if (n % 5 === 0) code = await codeOf(email)
    last = await redeem(email, wrongFor(code))
  }
  return last
}

describe('a sign-in code', () => {
  it('is six digits, works once, and ignores the case of the address', async () => {
    const email = someAddress()
    const code = await codeOf(email)
    expect(code).toMatch(/^\d{6}$/)
    expect(await redeem(email.toUpperCase(), code)).toEqual({ outcome: 'right', retry_after: null, locked_now: false })
    expect((await redeem(email, code)).outcome).toBe('wrong')
  })

  it('works only once even for two concurrent attempts', async () => {
    const email = someAddress()
    const code = await codeOf(email)
    const outcomes = (await Promise.all([redeem(email, code), redeem(email, code)])).map(({ outcome }) => outcome)
    expect(outcomes.toSorted()).toEqual(['right', 'wrong'])
  })

  it('expires after ten minutes', async () => {
    const email = someAddress()
    const code = await codeOf(email)
    expect(await redeemAfter(11 * MINUTE, email, code)).toBe('wrong')
  })

  it('expires after five attempts', async () => {
    const email = someAddress()
    const code = await codeOf(email)
    for (let n = 0; n < 5; n++) expect((await redeem(email, wrongFor(code))).outcome).toBe('wrong')
    expect((await redeem(email, code)).outcome).toBe('wrong')
  })

  it('is wrong for another address', async () => {
    const [one, other] = [someAddress(), someAddress()]
    const code = await codeOf(one)
    const otherCode = await codeOf(other)
    expect((await redeem(other, code)).outcome).toBe(code === otherCode ? 'right' : 'wrong')
  })

  it('is stored encrypted', async () => {
    const email = someAddress()
    const code = await codeOf(email)
    const row = await service.services.db
      .selectFrom('sign_in_codes')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    expect(row.code_sealed.toString('latin1')).not.toContain(code)
  })
})

describe('codes of several browsers', () => {
  const createIn = (browser: string, email: string) =>
    service.admin.call(signInCodes.create, { body: { email, browser } })
  const redeemIn = async (browser: string, email: string, code: string) =>
    (await service.admin.call(signInCodes.redeem, { body: { email, code, browser } })).outcome

  test('K17: a code stays valid when another browser requests one for the same address', async () => {
    const email = someAddress()
    const { code } = await createIn('own', email)
    for (const other of ['other', 'third']) await createIn(other, email)
    await create(email.toUpperCase())
    expect(await redeemIn('own', email, code!)).toBe('right')
  })

  test('K17: neither wrong attempts in another browser nor its sign-in use up a code', async () => {
    const email = someAddress()
    const own = (await createIn('own', email)).code!
    const other = (await createIn('other', email)).code!
    const guess = [wrongFor(own), '000002', '000003'].find((each) => each !== own && each !== other)!
    for (let n = 0; n < 5; n++) expect(await redeemIn('other', email, guess)).toBe('wrong')
    expect(await redeemIn('other', email, other)).toBe('wrong')
    const again = (await createIn('other', email)).code!
    expect(await redeemIn('other', email, again)).toBe('right')
    expect(await redeemIn('own', email, own)).toBe('right')
  })

  test('K17: a code of another browser is wrong, and a new code replaces the one of the same browser', async () => {
    const email = someAddress()
    const first = (await createIn('own', email)).code!
    const other = (await createIn('other', email)).code!
    const second = (await createIn('own', email)).code!
    if (first !== second) expect(await redeemIn('own', email, first)).toBe('wrong')
    if (other !== second) expect(await redeemIn('own', email, other)).toBe('wrong')
    expect(await redeemIn('own', email, second)).toBe('right')
  })

  test('K17: ten wrong attempts lock the address, across all browsers', async () => {
    const email = someAddress()
    const outcomes = []
    for (let n = 0; n < 10; n++) {
      const { code } = await createIn(`browser ${n % 8}`, email)
      outcomes.push(await redeemIn(`browser ${n % 8}`, email, wrongFor(code!)))
    }
    expect(outcomes).toEqual([...Array<string>(9).fill('wrong'), 'locked'])
    expect(await createIn('own', email)).toMatchObject({ code: null })
  })

  test('K17: concurrent wrong attempts in several browsers are all counted', async () => {
    const email = someAddress()
    const browsers = Array.from({ length: 10 }, (_, n) => `browser ${n}`)
    const codes = await Promise.all(browsers.map((browser) => createIn(browser, email)))
    const guess = ['000000', '000001', '000002', '000003'].find((each) => codes.every(({ code }) => code !== each))!
    const outcomes = await Promise.all(browsers.map((browser) => redeemIn(browser, email, guess)))
    expect(outcomes.toSorted()).toEqual(['locked', ...Array<string>(9).fill('wrong')])
  })

  test('K17: ten browsers may hold a code, and an eleventh does not displace one', async () => {
    const email = someAddress()
    const { code } = await createIn('own', email)
    for (let n = 0; n < 9; n++) await createIn(`browser ${n}`, email)
    const { path, init } = requestOf(signInCodes.create, { body: { email, browser: 'more' } })
    const { status, headers } = await service.admin.fetch(path, init)
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await createIn('browser 3', email)).code).not.toBeNull()
    expect(await redeemIn('own', email, code!)).toBe('right')
    expect((await createIn('more', email)).code).not.toBeNull()
  })
})

describe('an address', () => {
  it('is locked by ten wrong codes within an hour, for an hour, and reports it once', async () => {
    const email = someAddress()
    expect(await guessWrong(email, 10)).toEqual({ outcome: 'locked', retry_after: 3600, locked_now: true })
    expect(await redeem(email, '123456')).toMatchObject({ outcome: 'locked', locked_now: false })
    const { code, retry_after } = await create(email)
    expect(code).toBeNull()
    expect(retry_after).toBeGreaterThan(3500)
    expect(await redeemAfter(61 * MINUTE, email, '123456')).toBe('wrong')
  })

  it('of a user has its lock in the organization’s trail, with the user and the client address', async () => {
    const { id, email } = await createPerson(service, 'lena')
    await guessWrong(email, 10)
    await guessWrong(someAddress(), 10)
    const lines = await service.admin.call(api.audit.exportOrganization, {})
    const locks = lines.flatMap((line) => (line.type === 'record' && line.entry.verb === 'locked' ? [line.entry] : []))
    expect(locks).toMatchObject([{ user_id: id, user_email: email, ip: '127.0.0.1', subject_type: 'User' }])
  })

  it('has its wrong codes forgiven by a correct one', async () => {
    const email = someAddress()
    await guessWrong(email, 9)
    expect((await redeem(email, await codeOf(email))).outcome).toBe('right')
    expect(await guessWrong(email, 5)).toMatchObject({ outcome: 'wrong' })
  })

  it('is not locked by guesses if no code was requested', async () => {
    const email = someAddress()
    for (let n = 0; n < 12; n++) expect((await redeem(email, '123456')).outcome).toBe('wrong')
    expect((await redeem(email, await codeOf(email))).outcome).toBe('right')
  })

  it('is deleted when its lock and its counts have expired', async () => {
    const email = someAddress()
    await guessWrong(email, 10)
    const { db } = service.services
    const isKnown = async () =>
      (await db.selectFrom('sign_in_addresses').select('email').where('email', '=', email).execute()).length > 0
    await sweepCodes(db, new Date(Date.now() + 60 * MINUTE))
    expect(await isKnown()).toBe(true)
    await sweepCodes(db, new Date(Date.now() + 121 * MINUTE))
    expect(await isKnown()).toBe(false)
  })
})
