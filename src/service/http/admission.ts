import { hash } from 'node:crypto'
import { HEADERS } from '../../signing/signature.ts'
import { placeOf } from '../../wire/place-of.ts'
import type { Actor } from '../auth/actor.ts'
import { authenticate, type Caller, type FindCaller } from '../auth/authenticate.ts'
import type { Config } from '../base/config.ts'
import { ApiError, SessionEnded } from '../base/errors.ts'
import type { Services } from './context.ts'
import type { Budget } from '../../wire/rates/rate-limit.ts'
import { createSharedRateLimit } from '../../wire/rates/shared-rate-limit.ts'

export interface Admitted {
  actor: Actor
  headers: Record<string, string>
}

/** `find` reads more along with the caller. */
export type Admission = (caller: Caller, find?: FindCaller) => Promise<Admitted>

/** How many authenticated callers are remembered; beyond that, the least recent are forgotten. */
const MAX_KNOWN = 10_000

/**
 * Authenticates within limits. An address that keeps failing is refused before its credentials are looked up. Callers
 * that have authenticated from that address before are exempt, so others behind the same address cannot lock them out.
 * Only an authenticated caller spends from the budget of its key and user, so no caller can spend another's.
 */
export function createAdmission(services: Services): Admission {
  const { config, db, vault, clock, siblings } = services
  const failures =
    config.authFailureLimit && createSharedRateLimit('failures', config.authFailureLimit, clock, services)
  const calls = config.rateLimit && createSharedRateLimit('calls', config.rateLimit, clock, services)
  const known = new Set<string>()
  const shareKnown = siblings.share<string[]>('known callers', {
    hear: (names) => names.forEach((name) => remember(known, name)),
    greet: () => [...known],
  })

  async function check(caller: Caller, find: FindCaller | undefined): Promise<Actor> {
    if (!failures) return authenticate(db, vault, caller, find)
    const name = nameOf(caller)
    const { waitMs } = failures.look(placeOf(caller.ip))
    if (waitMs > 0 && !known.has(name)) throw tooMany('too_many_guesses', waitMs)
    try {
      const actor = await authenticate(db, vault, caller, find)
      if (!known.has(name)) shareKnown([name])
      remember(known, name)
      return actor
    } catch (error) {
      const isGuess = error instanceof ApiError && error.status === 401 && !(error instanceof SessionEnded)
      if (isGuess) failures.take(placeOf(caller.ip))
      throw error
    }
  }

  return async (caller, find) => {
    const actor = await check(caller, find)
    if (!calls || !config.rateLimit || isProxy(config, caller)) return { actor, headers: {} }
    const budget = calls.take(`${String(caller.headers[HEADERS.key])} ${actor.id}`)
    const headers = headersOf(budget, config.rateLimit.burst)
    if (budget.waitMs > 0) throw tooMany('too_many_requests', budget.waitMs, headers)
    return { actor, headers }
  }
}

/** The proxy signs all users in as the configured admin: a limit on it would let frequent sign-ins lock others out. */
export function isProxy({ bootstrap }: Config, { headers }: Pick<Caller, 'headers'>): boolean {
  return headers[HEADERS.key] === bootstrap?.apiKey && headers[HEADERS.token] === bootstrap?.adminToken
}

/** Returns a hash, because the name contains a user token. */
function nameOf({ headers, ip }: Caller): string {
  return hash('sha256', `${ip} ${String(headers[HEADERS.key])} ${String(headers[HEADERS.token])}`, 'base64')
}

function remember(known: Set<string>, name: string): void {
  known.delete(name)
  known.add(name)
  for (const oldest of known) {
    if (known.size <= MAX_KNOWN) return
    known.delete(oldest)
  }
}

const toSeconds = (ms: number) => String(Math.ceil(ms / 1000))

function headersOf({ remaining, wholeInMs }: Budget, burst: number): Record<string, string> {
  return {
    'RateLimit-Limit': String(burst),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': toSeconds(wholeInMs),
  }
}

function tooMany(
  reason: 'too_many_guesses' | 'too_many_requests',
  waitMs: number,
  headers: Record<string, string> = {},
): ApiError {
  const seconds = toSeconds(waitMs)
  return new ApiError(reason, { seconds }, { headers: { ...headers, 'Retry-After': seconds } })
}
