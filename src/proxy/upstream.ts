import { errors, Pool } from 'undici'
import { type Refusal, serviceAway, serviceSlow } from './refusal.ts'

/** How long the service may be silent. An upload counts as waiting only when it is over or stuck. */
const SILENCE_MS = 300_000

/** Connections to the service. */
export function openUpstream(apiUrl: string): Pool {
  return new Pool(apiUrl, {
    connectTimeout: 5000,
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
    // Below the 72 s after which the service closes idle connections.
    keepAliveTimeout: 30_000,
    allowH2: false,
  })
}

/** What to tell a caller whose request got no reply. */
export function refusalFor(error: Error): Refusal {
  const isTimeout = error instanceof errors.HeadersTimeoutError || error instanceof errors.ConnectTimeoutError
  return isTimeout ? serviceSlow() : serviceAway()
}
