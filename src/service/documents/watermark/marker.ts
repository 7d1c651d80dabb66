import type { Transferable } from 'node:worker_threads'
import { busy } from '../../base/errors.ts'
import type { UnmarkedPages } from '../../access/scopes.ts'
import type { Marking } from '../../store/downloads/marks.ts'
import { bytesOf, type UnmarkedImage } from '../pages/page-images.ts'
import { createSlots } from '../render/slots.ts'
import { createThread, type Thread, ThreadEnded } from '../thread.ts'
import type { MarkOutcome, MarkTask } from './mark-worker.ts'
import type { drawPreview, PreviewPage } from './preview.ts'

/**
 * Marks page images outside of the main thread, because a large look on a long page takes a third of a second.
 * @throws ApiError 503 if the thread ended because of the image, or no thread can be started
 */
export interface Marker {
  /** From now on, starts a thread before it is needed. */
  anticipate(): void
  /** Reports that a user is there, who may soon read a marked page. */
  noteUser(): void
  mark(image: UnmarkedImage, size: 'page' | 'thumbnail', marking: Marking): Promise<Buffer>
  preview(marking: Marking, page: PreviewPage): ReturnType<typeof drawPreview>
  close(): Promise<void>
}

interface MarkThread {
  thread: Thread
  /** The reader whose overlays the thread has. */
  reader: string
}

const TO_MARK = {} as UnmarkedPages

/** One more than the usual number of processors, because no reader gets all threads. */
const THREADS = 3
/** Limit per image: a hundred times what the largest image takes. */
const TIME_LIMIT_MS = 30_000
/** The unit in which the use of different readers is compared. */
const TURN_MS = 3000

export function createMarker(entry = new URL('./mark-worker.ts', import.meta.url)): Marker {
  const threads = Array.from({ length: THREADS }, () =>
    createThread(entry, { timeLimitMs: TIME_LIMIT_MS, maxHeapMb: 256 }),
  )
  const idle: MarkThread[] = threads.map((thread) => ({ thread, reader: '' }))
  const slots = createSlots(THREADS, TURN_MS)
  let anticipates = false

  /** Performs a task in the thread that has the reader's overlays, if that thread is free. */
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
      // The thread used last goes first, so that others are not started unless they are needed.
      if (own) idle.unshift(own)
      slots.leave(claim, performance.now() - begun)
    }
  }

  return {
    anticipate: () => void (anticipates = true),
    noteUser() {
      if (!anticipates) return
      try {
        threads[0]?.start()
      } catch {
        // The machine lacks resources. The first task tries again.
      }
    },
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
