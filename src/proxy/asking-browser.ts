import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'

/** As long as a code is valid. */
const VALID_SECONDS = 10 * 60
const FORM = /^[\w-]{43}$/

/**
 * The browser that asked for a sign-in code, known by a cookie with a secret: whoever lures a person into telling a code
 * still lacks the browser. Each code has a secret of its own, so that a cookie planted in a browser is worth nothing.
 */
export interface AskingBrowser {
  /** A new secret, and the Set-Cookie that carries it. */
  ask(): { secret: string; cookie: string }
  /** The secret of the browser that a request comes from. */
  find(request: IncomingMessage): string | undefined
  /** Set-Cookie that removes it. */
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
