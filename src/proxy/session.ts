import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'
import * as z from 'zod/mini'

const HOUR = 3600_000
/** Without a request for this long a session is over. */
const IDLE_MS = 12 * HOUR
/** However busy, a session ends this long after its sign-in. */
const LIFE_MS = 30 * 24 * HOUR
/** The cookie is written anew when the former is this old: not with every reply. */
const RENEW_MS = 10 * 60_000

/** Above this many cookies the one opened first is opened again when it comes. */
const MAX_OPENED = 10_000

const IV = 12
const TAG = 16

const form = z.object({
  id: z.string(),
  user_id: z.int(),
  email: z.string(),
  /** Milliseconds since 1970: the sign-in, and the end unless renewed. */
  issued: z.int(),
  expires: z.int(),
})

/** Who is signed in. Names the person, never carries the user token. */
export type Session = z.output<typeof form>

export interface Person {
  id: number
  email: string
}

export interface Sessions {
  /** The session of a request: genuine, not expired, not signed out. */
  find(request: IncomingMessage): Session | undefined
  /** Set-Cookie of a new session. */
  begin(person: Person): string
  /** Set-Cookie that prolongs the session or follows the person's new address; undefined while the old one will do. */
  renew(session: Session, person: Person): string | undefined
  /** Ends the session, copies of its cookie included; gives the Set-Cookie that removes it. */
  end(session: Session | undefined): string
}

export function createSessions(masterKey: string, isSecure: boolean, clock: () => Date): Sessions {
  const name = isSecure ? '__Host-strongroom' : 'strongroom'
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(masterKey, 'hex'), '', 'strongroom proxy session', 32))
  const ended = createEndedSessions(clock)
  const read = createReader(key)

  const setCookie = (value: string, maxAge: number) =>
    stringifySetCookie({ name, value, maxAge, path: '/', httpOnly: true, sameSite: 'strict', secure: isSecure })
  const write = (session: Session) =>
    setCookie(seal(key, JSON.stringify(session)), Math.ceil((session.expires - clock().getTime()) / 1000))

  return {
    find(request) {
      const value = parseCookie(request.headers.cookie ?? '')[name]
      const found = value === undefined ? undefined : read(value)
      const isOver = !found || found.expires <= clock().getTime() || ended.has(found.id)
      return isOver ? undefined : found
    },
    begin({ id, email }) {
      const issued = clock().getTime()
      return write({ id: randomUUID(), user_id: id, email, issued, expires: issued + IDLE_MS })
    },
    renew(session, { email }) {
      const expires = Math.min(clock().getTime() + IDLE_MS, session.issued + LIFE_MS)
      if (expires - session.expires < RENEW_MS && email === session.email) return undefined
      return write({ ...session, email, expires })
    },
    end(session) {
      if (session) ended.add(session.id)
      return setCookie('', 0)
    },
  }
}

/** Ids of sessions that were signed out, for as long as a copy of their cookie could still be valid. */
function createEndedSessions(clock: () => Date) {
  const until = new Map<string, number>()
  return {
    has: (id: string) => until.has(id),
    add(id: string) {
      const now = clock().getTime()
      // In order of insertion, hence of expiry.
      for (const [old, time] of until) {
        if (time > now) break
        until.delete(old)
      }
      until.set(id, now + IDLE_MS)
    },
  }
}

/** Opening is the dearest step of a small call, and the same cookie comes with every one. */
function createReader(key: Buffer): (value: string) => Session | undefined {
  const opened = new Map<string, Session>()
  return (value) => {
    const before = opened.get(value)
    if (before) return before
    const [oldest] = opened.size < MAX_OPENED ? [] : opened.keys()
    if (oldest !== undefined) opened.delete(oldest)
    try {
      const session = z.parse(form, JSON.parse(open(key, value)))
      opened.set(value, session)
      return session
    } catch {
      return undefined
    }
  }
}

/** AES-256-GCM: nonce, tag, ciphertext, as base64url. */
function seal(key: Buffer, plain: string): string {
  const iv = randomBytes(IV)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
}

/** @throws Error for anything this key did not seal */
function open(key: Buffer, value: string): string {
  const sealed = Buffer.from(value, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV), { authTagLength: TAG })
  decipher.setAuthTag(sealed.subarray(IV, IV + TAG))
  return Buffer.concat([decipher.update(sealed.subarray(IV + TAG)), decipher.final()]).toString('utf8')
}
