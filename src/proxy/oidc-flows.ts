import type { IncomingMessage } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'
import * as z from 'zod/mini'
import { createSealer } from './sealed.ts'
import { sessionForm } from './session.ts'

/** A person may have to look for a password, or for a phone. */
const VALID_MS = 10 * 60_000
/** Above this many flows at once the oldest are forgotten. */
const MAX_FLOWS = 100_000

const form = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The page that was wanted. */
  to: z.string(),
  /** Who was signed in here before: that cookie does not come along from another site. */
  former: z.optional(sessionForm),
  expires: z.int(),
})

/** A sign-in through the identity provider that is under way. */
export type StartedFlow = z.output<typeof form>

/** What is under way is kept by the browser, in a cookie that it can neither read nor change. */
export interface Flows {
  /** Set-Cookie. */
  start(flow: Omit<StartedFlow, 'expires'>): string
  /** The flow that a person comes back with, once. */
  take(request: IncomingMessage): StartedFlow | undefined
  /** Set-Cookie that removes it. */
  forget(): string
}

export function createFlows(masterKey: string, isSecure: boolean, clock: () => Date): Flows {
  const name = isSecure ? '__Host-strongroom-oidc' : 'strongroom-oidc'
  const sealer = createSealer(masterKey, 'identity provider')
  const taken = createTaken(clock)
  // Lax, for it comes back with a link from another site; it is worth nothing but there.
  const setCookie = (value: string, maxAge: number) =>
    stringifySetCookie({ name, value, maxAge, path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure })

  function read(request: IncomingMessage): StartedFlow | undefined {
    try {
      return z.parse(form, JSON.parse(sealer.open(parseCookie(request.headers.cookie ?? '')[name] ?? '')))
    } catch {
      return undefined
    }
  }

  return {
    start(flow) {
      const expires = clock().getTime() + VALID_MS
      return setCookie(sealer.seal(JSON.stringify({ ...flow, expires })), VALID_MS / 1000)
    },
    take(request) {
      const flow = read(request)
      const isUsable = flow !== undefined && flow.expires > clock().getTime() && taken.add(flow)
      return isUsable ? flow : undefined
    },
    forget: () => setCookie('', 0),
  }
}

/** Flows that somebody came back with: a copy of the cookie does nothing more. Other proxies rely on the provider's code, which works once. */
function createTaken(clock: () => Date) {
  const until = new Map<string, number>()
  return {
    /** Whether it is the first time. */
    add({ state, expires }: StartedFlow): boolean {
      const now = clock().getTime()
      for (const [old, time] of until) {
        if (time > now && until.size <= MAX_FLOWS) break
        until.delete(old)
      }
      if (until.has(state)) return false
      until.set(state, expires)
      return true
    },
  }
}
