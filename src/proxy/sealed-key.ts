import type { Pool } from 'undici'
import type { Exchange } from './exchange.ts'
import { forward } from './forward.ts'
import { createRateLimit, placeOf } from './rate-limit.ts'
import { Refusal, tooMany, wrongMethod } from './refusal.ts'

/** The route by which sealed documents get their keys (deploy/sealed-format.md). */
export const SEALED_KEY = '/sealed/key'

const MINUTE = 60_000
/** A document that waits for a code asks twenty times a minute. */
const CALLS = 120
const MAX_BYTES = 4096

/**
 * The only route for pages without an origin, such as files opened from disk. It signs nothing and reads no session, so
 * it gives another site nothing that the site could not request itself.
 */
export function createSealedKey(upstream: Pool, clock: () => Date): (exchange: Exchange) => void {
  const calls = createRateLimit(CALLS, MINUTE, clock)
  return (exchange) => {
    const { request, method, ip } = exchange
    if (request.headers.origin !== 'null') throw new Refusal(403, 'This is for sealed documents, opened from a disk.')
    // The document must be able to read refusals too.
    exchange.headers = { ...exchange.headers, 'access-control-allow-origin': 'null', vary: 'Origin' }
    if (method !== 'POST') throw wrongMethod('POST')
    const size = Number(request.headers['content-length'] ?? Infinity)
    if (!(size <= MAX_BYTES)) throw new Refusal(413, 'The request is too large.')
    const seconds = calls.hit(placeOf(ip))
    if (seconds !== undefined) throw tooMany(seconds)
    forward(upstream, exchange)
  }
}
