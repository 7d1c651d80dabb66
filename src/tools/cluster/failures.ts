import { ApiFailure } from '../../client/failure.ts'

/** Answers after which a client tries again: too many requests, a gateway without a node, a service without its database. */
const RETRYABLE = new Set([429, 502, 503, 504])
const LOST = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
])

export interface Failure {
  kind: string
  isRetryable: boolean
}

export function failureKind(error: unknown): Failure {
  if (error instanceof ApiFailure) {
    // The first try of a chunk was stored although its answer got lost: the client asks where to continue.
    const isStored = error.code === 409 && error.message.startsWith('The next chunk begins at')
    const isRetryable = RETRYABLE.has(error.code) || isStored
    return { kind: isRetryable ? String(error.code) : `${error.code} ${error.message}`, isRetryable }
  }
  if (!(error instanceof Error)) return { kind: String(error), isRetryable: false }
  if (error.name === 'TimeoutError') return { kind: 'timeout', isRetryable: true }
  const { code = '' } = (error.cause ?? error) as NodeJS.ErrnoException
  if (LOST.has(code)) return { kind: 'connection lost', isRetryable: true }
  return { kind: `${error.message} ${code}`.trim(), isRetryable: false }
}

/** Formats counts as `503 ×4, timeout ×1`. */
export const countedKinds = (kinds: ReadonlyMap<string, number>): string =>
  [...kinds].map(([kind, count]) => `${kind} ×${count}`).join(', ') || 'none'
