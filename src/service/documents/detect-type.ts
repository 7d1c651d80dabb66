import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
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
 */
export function createTypeDetector({
  entry = new URL('./sniff-worker.ts', import.meta.url),
  timeLimitMs = TIME_LIMIT_MS,
}: Options = {}): TypeDetector {
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function detect(head: Buffer, fileName: string): Promise<string> {
    worker ??= new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: 64 } })
    const current = worker
    current.ref()
    try {
      const answer = once(current, 'message', { signal: AbortSignal.timeout(timeLimitMs) })
      const bytes = new Uint8Array(head)
      current.postMessage({ head: bytes, fileName } satisfies Sniffed, [bytes.buffer])
      const [type] = (await answer) as [string]
      current.unref()
      return type
    } catch {
      worker = undefined
      await current.terminate()
      return UNKNOWN
    }
  }

  return (head, fileName) => {
    const detection = last.then(() => detect(head, fileName))
    last = detection
    return detection
  }
}

export const detectType = createTypeDetector()
