import type { Transferable } from 'node:worker_threads'
import { busy } from '../../errors.ts'
import type { UnmarkedPages } from '../../access/scopes.ts'
import type { Marking } from '../../store/marks.ts'
import { bytesOf, type UnmarkedImage } from '../page-images.ts'
import { createSlots } from '../render/slots.ts'
import { createThread, type Thread, ThreadEnded } from '../thread.ts'
import type { MarkOutcome, MarkTask } from './mark-worker.ts'
import type { drawPreview, PreviewPage } from './preview.ts'

/**
 * Marks images of pages away from the main thread: a large look on a long page takes a third of a second.
 * @throws ApiError 503 for an image of which the thread died, and where no thread can be started
 */
export interface Marker {
  /** Starts a thread before it is needed. */
  start(): void
  mark(image: UnmarkedImage, size: 'page' | 'thumbnail', marking: Marking): Promise<Buffer>
  preview(marking: Marking, page: PreviewPage): ReturnType<typeof drawPreview>
  close(): Promise<void>
}

interface MarkThread {
  thread: Thread
  /** Whose overlays it has. */
  reader: string
}

const TO_MARK = {} as UnmarkedPages

/** One more than usual processors, since no reader has all. */
const THREADS = 3
/** Of an image: a hundred times what the largest takes. */
const TIME_LIMIT_MS = 30_000
/** By how many of these a reader is compared with others. */
const TURN_MS = 3000

export function createMarker(entry = new URL('./mark-worker.ts', import.meta.url)): Marker {
  const threads = Array.from({ length: THREADS }, () =>
    createThread(entry, { timeLimitMs: TIME_LIMIT_MS, maxHeapMb: 256 }),
  )
  const idle: MarkThread[] = threads.map((thread) => ({ thread, reader: '' }))
  const slots = createSlots(THREADS, TURN_MS)

  /** In the thread that has the reader's overlays, if that is free. */
  async function run(task: MarkTask, transfer: Transferable[]): Promise<unknown> {
    const user = task.marking.reader.email
    const claim = { user, heavy: false }
    await slots.enter(claim)
    const begun = performance.now()
    const known = idle.findIndex(({ reader }) => reader === user)
    const [own] = idle.splice(Math.max(known, 0), 1)
    try {
      if (!own) throw new Error('there are fewer threads than slots')
      own.reader = user
      const outcome = await own.thread.ask<MarkOutcome>(task, transfer)
      if ('error' in outcome) throw new Error(outcome.error)
      return outcome.result
    } catch (error) {
      throw error instanceof ThreadEnded ? Object.assign(busy(), { cause: error }) : error
    } finally {
      // The thread used last comes first: others stay unstarted as long as it does.
      if (own) idle.unshift(own)
      slots.leave(claim, performance.now() - begun)
    }
  }

  return {
    start: () => threads[0]?.start(),
    async mark(image, size, marking) {
      const bytes = new Uint8Array(bytesOf(image, TO_MARK))
      const marked = (await run({ marking, image: bytes, size }, [bytes.buffer])) as Uint8Array<ArrayBuffer>
      return Buffer.from(marked.buffer)
    },
    preview: (marking, preview) => run({ marking, preview }, []) as ReturnType<typeof drawPreview>,
    async close() {
      slots.close()
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}
