import * as z from 'zod/mini'
import { email } from '../../contract/fields.ts'
import { signInCodes } from '../../contract/endpoints/sign-in-codes.ts'
import { DEMO_ROLES, type DemoRole, demoRoles } from '../../contract/shown-sentences.ts'
import type { Mail, Mailer } from '../../mail/transport.ts'
import { placeOf } from '../../wire/place-of.ts'
import { createRateLimit, type Rate, type RateLimit } from '../../wire/rates/rate-limit.ts'
import { SIGN_IN_RATES } from '../../wire/rates/sign-in-rates.ts'
import type { AskingBrowser } from '../asking-browser.ts'
import { codeMail } from './code-mail.ts'
import type { DemoPerson } from '../config.ts'
import type { Exchange } from '../exchange.ts'
import { lockMail } from './lock-mail.ts'
import type { IdentityProvider } from './oidc.ts'
import type { Flows } from './oidc-flows.ts'
import { beginOidc, CALLBACK, finishOidc } from './oidc-sign-in.ts'
import { type People, type SignInMethod, withoutTokens } from './people.ts'
import { readJson } from '../read-json.ts'
import { locked, notFound, type Refusal, refused, tooMany, wrongMethod } from '../refusal.ts'
import { sendFailure, sendJson } from '../reply.ts'
import type { ServiceCalls } from '../service-calls.ts'
import type { Sessions } from './session.ts'

const address = z.pipe(
  email(),
  z.transform((text: string) => text.toLowerCase()),
)
const digits = z.string().check(z.trim(), z.regex(/^\d{6}$/, 'must be six digits'))

export interface SignInParts {
  service: ServiceCalls
  people: People
  sessions: Sessions
  askingBrowser: AskingBrowser
  mailer: Mailer
  /** Undefined if none is configured. */
  oidc: { provider: IdentityProvider; flows: Flows } | undefined
  demoPeople: DemoPerson[]
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
  const { clock, oidc } = parts
  const limited = (rate: Rate) => createRateLimit(rate, clock)
  const { codesForAddress, codesByClient, attemptsByClient, invitationsByClient } = SIGN_IN_RATES
  const asking = { perAddress: limited(codesForAddress), perPlace: limited(codesByClient) }
  const trying = { perPlace: limited(attemptsByClient) }
  const looking = { perPlace: limited(invitationsByClient) }
  // It spares this proxy and the provider. The service is asked for nothing before the provider has vouched for a user.
  const oidcParts = oidc && { ...parts, ...oidc, limit: limited({ count: 60, periodMs: 15 * 60_000, burst: 60 }) }
  return new Map<string, Record<string, Route | undefined>>([
    ['/auth/session', { GET: (exchange) => showSession(parts, exchange) }],
    ['/auth/code', { POST: (exchange) => sendCode(parts, asking, exchange) }],
    ['/auth/invitation', { POST: (exchange) => showInvitation(parts, looking, exchange) }],
    ['/auth/sign-in', { POST: (exchange) => signInByCode(parts, trying, exchange) }],
    ['/auth/demo', { POST: (exchange) => signInToDemo(parts, exchange) }],
    ['/auth/sign-out', { POST: (exchange) => signOut(parts, exchange) }],
    ...(oidcParts ? oidcRoutes(oidcParts) : []),
  ])
}

function oidcRoutes(parts: Parameters<typeof beginOidc>[0]): [string, Record<string, Route>][] {
  return [
    ['/auth/oidc', { GET: (exchange) => beginOidc(parts, exchange) }],
    [CALLBACK, { GET: (exchange) => finishOidc(parts, exchange) }],
  ]
}

async function showSession({ people, sessions, oidc, demoPeople }: SignInParts, exchange: Exchange): Promise<void> {
  const session = sessions.find(exchange.request)
  const user = session && (await people.findLive(session))
  const cookie = session && (user ? sessions.renew(session, user) : sessions.forget())
  const demo_people = (await Promise.all(demoPeople.map((each) => present(people, each)))).flat()
  const body = {
    user: user ? withoutTokens(user) : null,
    demo_people,
    oidc: oidc ? { name: oidc.provider.name } : null,
  }
  sendJson(exchange, 200, body, cookie === undefined ? {} : { 'Set-Cookie': cookie })
}

/** The user for the sign-in page; an empty list if there is no such user. */
async function present(people: People, { email, role }: DemoPerson) {
  const found = await people.findByEmail(email)
  return found
    ? [
        {
          email: found.email,
          name: `${found.first_name} ${found.last_name}`.trim() || found.email,
          role,
          role_code: roleCode(role),
        },
      ]
    : []
}

/** The code of a role of the contract, for the languages of the dashboard. */
function roleCode(role: string): DemoRole | null {
  return demoRoles.find((code) => DEMO_ROLES[code] === role) ?? null
}

interface Limits {
  perAddress?: RateLimit
  perPlace: RateLimit
}

function limit({ perAddress, perPlace }: Limits, address: string, ip: string): void {
  const ofPlace = perPlace.take(placeOf(ip)).waitMs
  const waitMs = ofPlace > 0 ? ofPlace : (perAddress?.take(address).waitMs ?? 0)
  if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1000))
}

const link = z.object({ token: z.string().check(z.maxLength(100)) })

/** Only the holder of the mail has the token. Anyone else learns nothing, not even whether anybody was invited. */
async function showInvitation({ service }: SignInParts, { perPlace }: Limits, exchange: Exchange): Promise<void> {
  const body = await readJson(exchange, link)
  limit({ perPlace }, '', exchange.ip)
  sendJson(exchange, 200, await service.callAsAdmin(signInCodes.invitation, { body }, { ip: exchange.ip }))
}

/** Answers before it looks up the address, so that neither wording nor timing reveals whether the user exists. */
async function sendCode(parts: SignInParts, limits: Limits, exchange: Exchange): Promise<void> {
  const { email } = await readJson(exchange, z.object({ email: address }))
  limit(limits, email, exchange.ip)
  const { secret: browser, cookie } = parts.askingBrowser.ask()
  const { ip } = exchange
  const asked = { body: { email, browser } }
  const { code, retry_after } = await parts.service.callAsAdmin(signInCodes.create, asked, { ip })
  if (code === null) throw locked(retry_after ?? 0)
  sendJson(exchange, 204, undefined, { 'Set-Cookie': cookie })
  await mailTo(parts, exchange, email, (to) => codeMail(to, code, parts.publicUrl))
}

/** Mails the address if it belongs to a user; the reply does not wait for it. */
async function mailTo(
  { people, mailer }: SignInParts,
  { id }: Exchange,
  email: string,
  mail: (to: string) => Mail,
): Promise<void> {
  try {
    const user = await people.findByEmail(email)
    if (user) await mailer.send(mail(user.email))
  } catch (error) {
    console.error(`proxy: the mail of request ${id} could not be sent: ${(error as Error).message}`)
  }
}

async function signInByCode(parts: SignInParts, limits: Limits, exchange: Exchange): Promise<void> {
  const body = await readJson(exchange, z.object({ email: address, code: digits }))
  limit(limits, body.email, exchange.ip)
  const { ip } = exchange
  const wrong = refused('sign_in_code_wrong')
  const browser = parts.askingBrowser.find(exchange.request)
  if (browser === undefined) throw wrong
  const attempt = { ...body, browser }
  const redeemed = await parts.service.callAsAdmin(signInCodes.redeem, { body: attempt }, { ip })
  const { outcome, retry_after, locked_now } = redeemed
  if (outcome === 'right') return begin(parts, exchange, { email: body.email, method: 'code', absent: wrong })
  if (outcome === 'wrong') throw wrong
  const seconds = retry_after ?? 0
  sendFailure(exchange, locked(seconds))
  if (locked_now) await mailTo(parts, exchange, body.email, (to) => lockMail(to, seconds, parts.publicUrl))
}

async function signInToDemo(parts: SignInParts, exchange: Exchange): Promise<void> {
  const { email } = await readJson(exchange, z.object({ email: address }))
  if (!parts.demoPeople.some((person) => person.email === email)) throw notFound()
  await begin(parts, exchange, { email, method: 'demo', absent: notFound() })
}

async function begin(
  { people, sessions, askingBrowser }: SignInParts,
  exchange: Exchange,
  { email, method, absent }: { email: string; method: SignInMethod; absent: Refusal },
): Promise<void> {
  const found = await people.findByEmail(email)
  if (!found) throw absent
  // Ends the session this browser had before.
  const former = sessions.find(exchange.request)
  if (former) await people.signOut(former, exchange.ip)
  const { user, session } = await people.signIn(found, method, exchange)
  const used = askingBrowser.find(exchange.request) === undefined ? [] : [askingBrowser.forget()]
  const cookies = [sessions.begin(user, session), ...used]
  sendJson(exchange, 200, { user: withoutTokens(user) }, { 'Set-Cookie': cookies })
}

/** Fails if the service is away: a session must not seem ended while the service still accepts it. */
async function signOut({ people, sessions }: SignInParts, exchange: Exchange): Promise<void> {
  const session = sessions.find(exchange.request)
  if (session) await people.signOut(session, exchange.ip)
  sendJson(exchange, 204, undefined, { 'Set-Cookie': sessions.forget() })
}
