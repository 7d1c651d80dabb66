import type * as z from 'zod/mini'
import { organization } from '../../contract/endpoints/organization.ts'
import { signInCodes } from '../../contract/endpoints/sign-in-codes.ts'
import { type signInMethods, sessions } from '../../contract/endpoints/sessions.ts'
import { type user, users } from '../../contract/endpoints/users.ts'
import type { Exchange } from '../exchange.ts'
import { Refusal } from '../refusal.ts'
import type { ServiceCalls } from '../service-calls.ts'
import type { Session } from './session.ts'

export type User = z.output<typeof user>
export type SignInMethod = (typeof signInMethods)[number]

/** How long a token is used without checking that its user still exists. */
const FRESH_MS = 60_000
/** Above this many users the least recently looked up is forgotten. */
const MAX_KNOWN = 10_000

interface Known {
  user: Promise<User | undefined>
  /** The last token seen, with which the user can be found again after a change of address. */
  token: string | undefined
  checked: number
}

/** Users and their tokens, from the service. Tokens leave this process only in signed requests. */
export interface People {
  /** @throws Refusal 502 or 504 */
  findByEmail(email: string): Promise<User | undefined>
  /** The user of a session, at most a minute old; undefined if the user no longer exists. */
  find(session: Session): Promise<User | undefined>
  /** The user as the service knows them now; undefined also if the session has ended. */
  findLive(session: Session): Promise<User | undefined>
  /** Makes the next `find` ask the service again. */
  recheck(userId: number): void
  signIn(user: User, method: SignInMethod, exchange: Exchange): Promise<{ user: User; session: number }>
  /** Ends a session, also for copies of its cookie. */
  signOut(session: Session, ip: string): Promise<void>
}

export function createPeople(service: ServiceCalls, clock: () => Date): People {
  const known = new Map<number, Known>()

  async function findByEmail(email: string): Promise<User | undefined> {
    const reply = await service.callAsAdmin(organization.listMembers, { query: { email } })
    return reply.memberships.find((each) => each.email.toLowerCase() === email.toLowerCase())
  }

  async function look({ user_id, email }: Session, token: string | undefined): Promise<User | undefined> {
    const self = token === undefined ? undefined : await service.call(token, users.me, {})
    const found = self ?? (await findByEmail(email))
    // The address may belong to another user by now.
    return found?.id === user_id && found.user_token !== '' ? found : undefined
  }

  function remember(session: Session): Known {
    const before = known.get(session.user_id)
    const now = clock().getTime()
    if (before && now - before.checked < FRESH_MS) return before
    const entry: Known = { user: look(session, before?.token), token: before?.token, checked: now }
    known.delete(session.user_id)
    known.set(session.user_id, entry)
    const [oldest] = known.keys()
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest)
    return entry
  }

  async function find(session: Session): Promise<User | undefined> {
    const entry = remember(session)
    try {
      const found = await entry.user
      entry.token = found?.user_token
      return found
    } catch (error) {
      entry.checked = 0
      throw error
    }
  }

  function recheck(userId: number): void {
    const entry = known.get(userId)
    if (entry) entry.checked = 0
  }

  /**
   * Tells the service that the address is proved; it sees only sign-in codes itself. The first proof may replace the
   * token.
   */
  async function vouchFor({ email }: User, ip: string): Promise<User> {
    await service.callAsAdmin(signInCodes.vouch, { body: { email } }, { ip })
    const found = await findByEmail(email)
    if (!found) throw new Refusal(502, 'The service refuses the sign-in.')
    return found
  }

  const see = (user: User, session: Session) => service.call(user.user_token, users.me, {}, { session: session.id })

  return {
    findByEmail,
    find,
    recheck,
    async findLive(session) {
      const user = await find(session)
      const seen = user && (await see(user, session))
      if (!user || seen) return seen
      // The session has ended, or the token was replaced within the last minute.
      recheck(user.id)
      const now = await find(session)
      return now && now.user_token !== user.user_token ? see(now, session) : undefined
    },
    async signIn(user, method, { request, ip }) {
      const { user_token } = method === 'code' ? user : await vouchFor(user, ip)
      const arrived = await service.call(user_token, users.signIn, {}, { ip })
      const user_agent = nameOf(request.headers['user-agent'])
      const begun =
        arrived && (await service.call(user_token, sessions.create, { body: { method, user_agent } }, { ip }))
      if (!arrived || !begun) throw new Refusal(502, 'The service refuses the sign-in.')
      recheck(arrived.id)
      return { user: arrived, session: begun.id }
    },
    async signOut(session, ip) {
      const user = await find(session)
      const { id } = session
      // A refusal means that the session has ended already.
      if (user) await service.call(user.user_token, sessions.remove, { params: { id } }, { ip, session: id })
    },
  }
}

/** The browser's user agent without non-ASCII and control characters, cut to 500 characters. */
function nameOf(userAgent = ''): string {
  return userAgent.replace(/[^\x20-\x7e]/g, '').slice(0, 500)
}

export function withoutTokens(user: User): User {
  return { ...user, jti: '', user_token: '' }
}
