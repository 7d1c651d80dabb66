import type * as z from 'zod/mini'
import { organization } from '../contract/organization.ts'
import { type user, users } from '../contract/users.ts'
import { Refusal } from './refusal.ts'
import type { ServiceCalls } from './service-calls.ts'
import type { Session } from './session.ts'

type User = z.output<typeof user>

/** For how long a token is used without asking whether its user is still there. */
const FRESH_MS = 60_000
/** Above this many people the one asked for longest ago is forgotten. */
const MAX_KNOWN = 10_000

interface Known {
  user: Promise<User | undefined>
  /** The last token seen; lets a person be found again after a change of address. */
  token: string | undefined
  checked: number
}

/** Users and their tokens, from the service; the tokens never leave this process but in signed requests. */
export interface People {
  /** @throws Refusal 502 or 504 */
  findByEmail(email: string): Promise<User | undefined>
  /** The user of a session, at most a minute old; undefined when there is no such user any more. */
  find(session: Session): Promise<User | undefined>
  /** Makes the next `find` ask again. */
  recheck(userId: number): void
  /** Reports that the person has arrived. */
  signIn(user: User, ip: string): Promise<User>
}

export function createPeople(service: ServiceCalls, adminToken: string, clock: () => Date): People {
  const known = new Map<number, Known>()

  async function findByEmail(email: string): Promise<User | undefined> {
    const reply = await service.call(adminToken, organization.listMembers, { query: { email } })
    if (!reply) throw new Refusal(502, 'The service refuses the credentials of this proxy.')
    return reply.memberships.find((each) => each.email.toLowerCase() === email.toLowerCase())
  }

  async function look({ user_id, email }: Session, token: string | undefined): Promise<User | undefined> {
    const self = token === undefined ? undefined : await service.call(token, users.me, {})
    const found = self ?? (await findByEmail(email))
    // An address may have passed to somebody else.
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

  return {
    findByEmail,
    async find(session) {
      const entry = remember(session)
      try {
        const found = await entry.user
        entry.token = found?.user_token
        return found
      } catch (error) {
        entry.checked = 0
        throw error
      }
    },
    recheck(userId) {
      const entry = known.get(userId)
      if (entry) entry.checked = 0
    },
    async signIn(user, ip) {
      const reply = await service.call(user.user_token, users.signIn, {}, ip)
      if (!reply) throw new Refusal(502, 'The service refuses the sign-in.')
      return reply
    },
  }
}

/** What a browser may know of a user. */
export function withoutTokens(user: User): User {
  return { ...user, jti: '', user_token: '' }
}
