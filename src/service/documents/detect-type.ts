import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type ApiError, busy } from '../errors.ts'
import { lacksResources } from '../jobs/lacks-resources.ts'
import { UNKNOWN } from './sniff.ts'
import type { Sniffed } from './sniff-worker.ts'

/** Detects the type of content by its first bytes and its name; see `sniff`. */
export type TypeDetector = (head: Buffer, fileName: string) => Promise<string>

interface Options {
  entry?: URL
  timeLimitMs?: number
}

/** Typical content takes less than a millisecond. The limit has room for a thread that has to start on a busy machine. */
const TIME_LIMIT_MS = 2000

/**
 * Detects types in a thread, one upload after the other, so that hostile bytes never block the event loop. A detection that
 * exceeds the time limit ends with its thread, and the type is unknown.
 * @throws ApiError 503 where the machine cannot start the thread
 */
export function createTypeDetector({
  entry = new URL('./sniff-worker.ts', import.meta.url),
  timeLimitMs = TIME_LIMIT_MS,
}: Options = {}): TypeDetector {
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()

  function start(): Worker {
    try {
      // A thread may also fail while nobody waits for it.
      return new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: 64 } }).on('error', () => {})
    } catch (error) {
      throw notStarted(error)
    }
  }

  async function detect(head: Buffer, fileName: string): Promise<string> {
    const current = (worker ??= start())
    current.ref()
    try {
      const answer = once(current, 'message', { signal: AbortSignal.timeout(timeLimitMs) })
      const bytes = new Uint8Array(head)
      current.postMessage({ head: bytes, fileName } satisfies Sniffed, [bytes.buffer])
      const [type] = (await answer) as [string]
      current.unref()
      return type
    } catch (error) {
      worker = undefined
      await current.terminate()
      if (lacksResources(error) || (error as NodeJS.ErrnoException).code === 'ERR_WORKER_INIT_FAILED')
        throw notStarted(error)
      return UNKNOWN
    }
  }

  return (head, fileName) => {
    const detection = last.then(() => detect(head, fileName))
    last = detection.catch(() => {})
    return detection
  }
}

/** The type of the content stays open: a wrong one would be kept. */
function notStarted(cause: unknown): ApiError {
  return Object.assign(busy(), { cause })
}

export const detectType = createTypeDetector()
