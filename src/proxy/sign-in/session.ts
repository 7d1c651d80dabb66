import type { IncomingMessage } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'
import * as z from 'zod/mini'
import { createCookieSealer, type CookieSealer } from '../sealed.ts'

const HOUR = 3600_000
/** A session ends after this long without a request. */
const IDLE_MS = 12 * HOUR
/** A session ends this long after its sign-in, however busy it is. */
const LIFE_MS = 30 * 24 * HOUR
/** The cookie is renewed when it is this old, not with every reply. */
const RENEW_MS = 10 * 60_000

/** How many decrypted cookies are cached; beyond that, the first one is dropped. */
const MAX_OPENED = 10_000

export const sessionForm = z.object({
  /** Id of the service's session; the service knows whether it has ended. */
  id: z.int(),
  user_id: z.int(),
  email: z.string(),
  /** Milliseconds since 1970: the sign-in, and the end unless renewed. */
  issued: z.int(),
  expires: z.int(),
})

/** The signed-in user. Names the user and never contains the user token. */
export type Session = z.output<typeof sessionForm>

export interface Person {
  id: number
  email: string
}

/** The session cookies. Only the service knows whether a session was ended elsewhere. */
export interface Sessions {
  /** The session of a request if its cookie is genuine and not expired. */
  find(request: IncomingMessage): Session | undefined
  /** Set-Cookie that begins a session. */
  begin(person: Person, id: number): string
  /** Set-Cookie that extends the session or updates the address; undefined while the old cookie is still good. */
  renew(session: Session, person: Person): string | undefined
  /** Set-Cookie that removes the session. */
  forget(): string
}

export function createSessions(masterKey: string, isSecure: boolean, clock: () => Date): Sessions {
  const name = isSecure ? '__Host-strongroom' : 'strongroom'
  const sealer = createCookieSealer(masterKey, 'session')
  const read = createReader(sealer)

  const setCookie = (value: string, maxAge: number) =>
    stringifySetCookie({ name, value, maxAge, path: '/', httpOnly: true, sameSite: 'strict', secure: isSecure })
  const write = (session: Session) =>
    setCookie(sealer.seal(JSON.stringify(session)), Math.ceil((session.expires - clock().getTime()) / 1000))

  return {
    find(request) {
      const value = parseCookie(request.headers.cookie ?? '')[name]
      const found = value === undefined ? undefined : read(value)
      return found && found.expires > clock().getTime() ? found : undefined
    },
    begin(person, id) {
      const issued = clock().getTime()
      return write({ id, user_id: person.id, email: person.email, issued, expires: issued + IDLE_MS })
    },
    renew(session, { email }) {
      const expires = Math.min(clock().getTime() + IDLE_MS, session.issued + LIFE_MS)
      if (expires - session.expires < RENEW_MS && email === session.email) return undefined
      return write({ ...session, email, expires })
    },
    forget: () => setCookie('', 0),
  }
}

/**
 * Caches decrypted cookies: decryption is the most expensive step of a small call, and each call has the same cookie.
 */
function createReader(sealer: CookieSealer): (value: string) => Session | undefined {
  const opened = new Map<string, Session>()
  return (value) => {
    const before = opened.get(value)
    if (before) return before
    const [oldest] = opened.size < MAX_OPENED ? [] : opened.keys()
    if (oldest !== undefined) opened.delete(oldest)
    try {
      const session = z.parse(sessionForm, JSON.parse(sealer.open(value)))
      opened.set(value, session)
      return session
    } catch {
      return undefined
    }
  }
}
