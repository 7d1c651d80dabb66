import type { Dispatcher } from 'undici'
import { placeOf } from '../wire/place-of.ts'
import { createRateLimit } from '../wire/rates/rate-limit.ts'
import type { Exchange } from './exchange.ts'
import { forward } from './forward.ts'
import { Refusal, tooMany, wrongMethod } from './refusal.ts'

/** The route by which sealed documents get their keys (deploy/sealed-format.md). */
export const SEALED_KEY = '/sealed/key'

/** For each client address; a document that waits for a code asks twenty times a minute. */
const CALLS = { count: 120, periodMs: 60_000, burst: 120 }
const MAX_BYTES = 4096

/**
 * The only route for pages without an origin, such as files opened from disk. It signs nothing and reads no session, so
 * it gives another site nothing that the site could not request itself.
 */
export function createSealedKey(upstream: Dispatcher, clock: () => Date): (exchange: Exchange) => void {
  const calls = createRateLimit(CALLS, clock)
  return (exchange) => {
    const { request, method, ip } = exchange
    if (request.headers.origin !== 'null') throw new Refusal(403, 'This is for sealed documents, opened from a disk.')
    // The document must be able to read refusals too.
    exchange.headers = { ...exchange.headers, 'access-control-allow-origin': 'null', vary: 'Origin' }
    if (method !== 'POST') throw wrongMethod('POST')
    const size = Number(request.headers['content-length'] ?? Infinity)
    if (!(size <= MAX_BYTES)) throw new Refusal(413, 'The request is too large.')
    const { waitMs } = calls.take(placeOf(ip))
    if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1000))
    forward(upstream, exchange)
  }
}
