import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'

/** Lifetime of a code, and so of its secret. */
const VALID_SECONDS = 10 * 60
const FORM = /^[\w-]{43}$/

/**
 * Ties a sign-in code to the browser that requested it, through a cookie with a secret: an attacker who tricks a user
 * into revealing a code still lacks the browser. Each code has a new secret, so a cookie planted in a browser is
 * worthless.
 */
export interface AskingBrowser {
  /** A new secret, and the Set-Cookie that carries it. */
  ask(): { secret: string; cookie: string }
  find(request: IncomingMessage): string | undefined
  /** Set-Cookie that removes the secret. */
  forget(): string
}

export function createAskingBrowser(isSecure: boolean): AskingBrowser {
  const name = isSecure ? '__Host-strongroom-code' : 'strongroom-code'
  const setCookie = (value: string, maxAge: number) =>
    stringifySetCookie({ name, value, maxAge, path: '/', httpOnly: true, sameSite: 'strict', secure: isSecure })
  return {
    ask() {
      const secret = randomBytes(32).toString('base64url')
      return { secret, cookie: setCookie(secret, VALID_SECONDS) }
    },
    find({ headers }) {
      const value = parseCookie(headers.cookie ?? '')[name]
      return value !== undefined && FORM.test(value) ? value : undefined
    },
    forget: () => setCookie('', 0),
  }
}
