import { isAscii } from 'node:buffer'
import { hasBinaryControls, sniff, UNKNOWN } from './sniff.ts'
import type { Sniffed } from './sniff-worker.ts'
import { createThread, ThreadEnded } from '../thread.ts'

/** Detects the type of content by its first bytes and its name; see `sniff`. */
export type TypeDetector = (head: Buffer, fileName: string) => Promise<string>

interface Options {
  entry?: URL
  timeLimitMs?: number
  startMs?: number
}

/** Detection usually takes less than a millisecond. */
const TIME_LIMIT_MS = 2000
/** Loading the thread takes 0.1 seconds, and many times that on a busy machine. */
const START_MS = 60_000

/**
 * Detects types in a thread, one upload after the other, so that hostile bytes never block the event loop. A detection
 * that exceeds the time limit is terminated together with its thread, and its type is unknown. Plain text is detected
 * here: none of it leads to a loop of the detection (sniff.test.ts, K2), and the message to the thread costs more than it.
 * @throws ApiError 503 if the machine cannot start the thread, rather than store a wrong type for good
 */
export function createTypeDetector({
  entry = new URL('./sniff-worker.ts', import.meta.url),
  timeLimitMs = TIME_LIMIT_MS,
  startMs = START_MS,
}: Options = {}): TypeDetector {
  const thread = createThread(entry, { timeLimitMs, startMs, maxHeapMb: 64 })
  return async (content, fileName) => {
    if (isPlainText(content)) return sniff(content, fileName)
    const head = new Uint8Array(content)
    try {
      return await thread.ask<string>({ head, fileName } satisfies Sniffed, [head.buffer])
    } catch (error) {
      if (error instanceof ThreadEnded) return UNKNOWN
      throw error
    }
  }
}

const isPlainText = (head: Buffer): boolean => isAscii(head) && !hasBinaryControls(head.toString('latin1'))

export const detectType = createTypeDetector()
