import { Worker } from 'node:worker_threads'
import { busy } from '../base/errors.ts'
import type { HashMessage } from './hash-worker.ts'

/** A SHA-256 that a thread computes while the main thread answers requests. */
export interface ThreadHash {
  /** Adds bytes of shared memory, which must not change until this resolves. @throws ApiError 503 if the thread ended */
  add(bytes: Buffer): Promise<void>
  digest(): Promise<Buffer>
  /** Forgets the hash. Must be called at the end, also after `digest`. */
  drop(): void
}

/** A thread without a hash ends after this long. */
const IDLE_MS = 30_000

/** Starts one thread for all hashes when it is needed. It does not keep the process alive. */
export function createHashThread(): () => ThreadHash {
  let thread: Thread | undefined
  let idle: NodeJS.Timeout | undefined
  let last = 0
  const open = new Set<number>()

  function drop(hash: number): void {
    if (!open.delete(hash) || open.size > 0) return
    idle = setTimeout(() => {
      thread?.end()
      thread = undefined
    }, IDLE_MS).unref()
  }

  return () => {
    // A hash belongs to its thread: another one would not know its first bytes.
    const own = thread?.isRunning() ? thread : (thread = startThread())
    const hash = ++last
    open.add(hash)
    clearTimeout(idle)
    return {
      add: async (bytes) => void (await own.ask({ hash, bytes })),
      digest: async () => Buffer.from((await own.ask({ hash, ends: true })) as Uint8Array),
      drop() {
        void own.ask({ hash, ends: true })
        drop(hash)
      },
    }
  }
}

interface Thread {
  isRunning(): boolean
  /** Returns the answer to a message. The thread answers in the order of the messages. */
  ask(message: HashMessage): Promise<unknown>
  end(): void
}

function startThread(): Thread {
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url))
  const waiting: { resolve(answer: unknown): void; reject(error: unknown): void }[] = []
  let failure: unknown
  worker.on('message', (answer: unknown) => waiting.shift()?.resolve(answer))
  worker.on('error', (cause) => {
    failure = Object.assign(busy(), { cause })
    for (const each of waiting.splice(0)) each.reject(failure)
  })
  worker.unref()
  return {
    isRunning: () => failure === undefined,
    ask(message) {
      const answer = new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure)
        waiting.push({ resolve, reject })
        worker.postMessage(message, [])
      })
      // A stream that breaks off awaits nothing any more.
      answer.catch(() => {})
      return answer
    },
    end: () => void worker.terminate(),
  }
}
