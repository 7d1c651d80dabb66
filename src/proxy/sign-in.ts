import * as z from 'zod/mini'
import { email } from '../contract/fields.ts'
import type { Mailer } from '../mail/transport.ts'
import { codeMail } from './code-mail.ts'
import { type Codes, createCodes } from './codes.ts'
import type { Exchange } from './exchange.ts'
import { type People, withoutTokens } from './people.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'
import { readJson } from './read-json.ts'
import { notFound, Refusal, serviceAway, tooMany, wrongMethod } from './refusal.ts'
import { sendJson } from './reply.ts'
import type { ServiceCalls } from './service-calls.ts'
import type { Sessions } from './session.ts'

const MINUTE = 60_000
const address = z.pipe(
  email(),
  z.transform((text: string) => text.toLowerCase()),
)
const digits = z.string().check(z.trim(), z.regex(/^\d{6}$/, 'must be six digits'))

export interface SignInParts {
  service: ServiceCalls
  people: People
  sessions: Sessions
  mailer: Mailer
  demoPeople: string[]
  publicUrl: string
  clock: () => Date
}

type Route = (exchange: Exchange) => Promise<void>

/** The routes below `/auth/`. */
export function createSignIn(parts: SignInParts): Route {
  const routes = createRoutes(parts)
  return async (exchange) => {
    const methods = routes.get(exchange.path)
    if (!methods) throw notFound()
    const route = methods[exchange.method]
    if (!route) throw wrongMethod(Object.keys(methods).join(', '))
    await route(exchange)
  }
}

function createRoutes(parts: SignInParts): Map<string, Record<string, Route | undefined>> {
  const { clock } = parts
  // Two limits for each act: on one address from everywhere, on everything from one place.
  const asking = [createRateLimit(5, 15 * MINUTE, clock), createRateLimit(20, 15 * MINUTE, clock)] as const
  const trying = [createRateLimit(20, 60 * MINUTE, clock), createRateLimit(60, 60 * MINUTE, clock)] as const
  const codes = createCodes(clock)
  return new Map<string, Record<string, Route | undefined>>([
    ['/auth/session', { GET: (exchange) => showSession(parts, exchange) }],
    ['/auth/code', { POST: (exchange) => sendCode(parts, codes, asking, exchange) }],
    ['/auth/sign-in', { POST: (exchange) => signInByCode(parts, codes, trying, exchange) }],
    ['/auth/demo', { POST: (exchange) => signInToDemo(parts, exchange) }],
    ['/auth/sign-out', { POST: async (exchange) => signOut(parts, exchange) }],
  ])
}

async function showSession({ people, sessions, demoPeople }: SignInParts, exchange: Exchange): Promise<void> {
  const session = sessions.find(exchange.request)
  const user = session && (await people.find(session))
  const renewed = session && user ? sessions.renew(session, user) : undefined
  const found = await Promise.all(demoPeople.map((address) => people.findByEmail(address)))
  const demo_people = found.flatMap((each) =>
    each ? [{ email: each.email, name: `${each.first_name} ${each.last_name}`.trim() || each.email }] : [],
  )
  const body = { user: user ? withoutTokens(user) : null, demo_people }
  sendJson(exchange, 200, body, renewed === undefined ? {} : { 'Set-Cookie': renewed })
}

type Limits = readonly [perAddress: RateLimit, perPlace: RateLimit]

function limit([perAddress, perPlace]: Limits, address: string, ip: string): void {
  const seconds = perPlace.hit(ip) ?? perAddress.hit(address)
  if (seconds !== undefined) throw tooMany(seconds)
}

/** Answers before it looks the address up: neither words nor time tell whether there is such a user. */
async function sendCode(parts: SignInParts, codes: Codes, limits: Limits, exchange: Exchange): Promise<void> {
  const { email } = await readJson(exchange, z.object({ email: address }))
  limit(limits, email, exchange.ip)
  if (!(await parts.service.isReady())) throw serviceAway()
  sendJson(exchange, 204, undefined)
  try {
    const user = await parts.people.findByEmail(email)
    if (user) await parts.mailer.send(codeMail(user.email, codes.issue(email), parts.publicUrl))
  } catch (error) {
    console.error(`proxy: the code of request ${exchange.id} could not be mailed: ${(error as Error).message}`)
  }
}

async function signInByCode(parts: SignInParts, codes: Codes, limits: Limits, exchange: Exchange): Promise<void> {
  const { email, code } = await readJson(exchange, z.object({ email: address, code: digits }))
  limit(limits, email, exchange.ip)
  const wrong = new Refusal(401, 'The code is wrong or no longer valid.')
  if (!codes.redeem(email, code)) throw wrong
  await begin(parts, exchange, email, wrong)
}

async function signInToDemo(parts: SignInParts, exchange: Exchange): Promise<void> {
  const { email } = await readJson(exchange, z.object({ email: address }))
  if (!parts.demoPeople.includes(email)) throw notFound()
  await begin(parts, exchange, email, notFound())
}

async function begin({ people, sessions }: SignInParts, exchange: Exchange, email: string, absent: Refusal) {
  const found = await people.findByEmail(email)
  if (!found) throw absent
  const user = await people.signIn(found, exchange.ip)
  // Whoever was signed in here before is not any more.
  sessions.end(sessions.find(exchange.request))
  sendJson(exchange, 200, { user: withoutTokens(user) }, { 'Set-Cookie': sessions.begin(user) })
}

function signOut({ sessions }: SignInParts, exchange: Exchange): void {
  sendJson(exchange, 204, undefined, { 'Set-Cookie': sessions.end(sessions.find(exchange.request)) })
}
