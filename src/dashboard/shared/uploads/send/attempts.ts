import { ApiFailure } from '../../../api/failures.ts'

/** Attempts in a row without progress. */
const ATTEMPTS = 6
/** Longest delay between two attempts, in milliseconds. */
const MAX_DELAY = 30_000

export interface AttemptParts {
  /** Bytes that the service has by now. */
  sent: () => number
  /** Called before the pause that follows a passing failure. */
  onRetry: (failure: ApiFailure) => void
  retryDelay: ((attempt: number) => number) | undefined
  untilOnline: ((signal: AbortSignal) => Promise<void>) | undefined
  signal: AbortSignal
}

/** Retries as long as the failure is passing and attempts are left or progress is made; waits for a connection. */
export async function attempt<T>(
  send: () => Promise<T>,
  { sent, onRetry, retryDelay, untilOnline, signal }: AttemptParts,
): Promise<T> {
  let best = 0
  for (let count = 1; ; count += 1) {
    await untilOnline?.(signal)
    try {
      return await send()
    } catch (error) {
      if (sent() > best) count = 1
      best = Math.max(best, sent())
      const isPassing = error instanceof ApiFailure && error.passing && count < ATTEMPTS
      if (!isPassing || signal.aborted) throw error
      onRetry(error)
      await pauseFor(retryDelay?.(count) ?? Math.min(MAX_DELAY, 1000 * 2 ** count), signal)
    }
  }
}

function pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
