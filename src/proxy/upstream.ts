import { errors, Pool } from 'undici'
import { type Refusal, serviceAway, serviceSlow } from './refusal.ts'

/**
 * How long the service may be silent. During an upload, the wait begins only when the upload is complete or stalled.
 */
const SILENCE_MS = 300_000

/** Connection pool to the service. */
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

/** The refusal for a caller whose request got no reply. */
export function refusalFor(error: Error): Refusal {
  const isTimeout = error instanceof errors.HeadersTimeoutError || error instanceof errors.ConnectTimeoutError
  return isTimeout ? serviceSlow() : serviceAway()
}
