import type { IncomingMessage } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'
import * as z from 'zod/mini'
import { createCookieSealer } from '../sealed.ts'
import { sessionForm } from './session.ts'

/** The user may have to find a password or a phone. */
const VALID_MS = 10 * 60_000
/** Above this many flows the oldest are forgotten. */
const MAX_FLOWS = 100_000

const form = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The page the user wanted. */
  to: z.string(),
  /** The session this browser had before: its cookie is not sent along from another site. */
  former: z.optional(sessionForm),
  expires: z.int(),
})

/** A sign-in through the identity provider that has begun. */
export type StartedFlow = z.output<typeof form>

/** The browser keeps the state of a flow in a cookie that it can neither read nor change. */
export interface Flows {
  /** Set-Cookie that stores the flow. */
  start(flow: Omit<StartedFlow, 'expires'>): string
  /** The flow that a user returns with, only once. */
  take(request: IncomingMessage): StartedFlow | undefined
  /** Set-Cookie that removes the flow. */
  forget(): string
}

export function createFlows(masterKey: string, isSecure: boolean, clock: () => Date): Flows {
  const name = isSecure ? '__Host-strongroom-oidc' : 'strongroom-oidc'
  const sealer = createCookieSealer(masterKey, 'identity provider')
  const taken = createTaken(clock)
  // Lax, because the cookie must come along with a link from another site; it is of no other use.
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

/**
 * Flows already returned, so that a copy of the cookie does nothing more. Across several proxies, the provider's code,
 * which works once, prevents reuse.
 */
function createTaken(clock: () => Date) {
  const until = new Map<string, number>()
  return {
    /** Returns whether it is the first time. */
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
