import { type Transferable, Worker } from 'node:worker_threads'
import { type ApiError, busy } from '../base/errors.ts'
import { lacksResources } from '../jobs/lacks-resources.ts'

export interface Thread {
  /** Starts the thread, which otherwise starts with its first task, or keeps it while it is idle. */
  start(): void
  /**
   * Returns the answer of the thread to a message.
   * @throws ThreadEnded if the thread ended during this task, which affects no other task; ApiError 503 if the machine
   * cannot start the thread
   */
  ask<Answer>(message: unknown, transfer: readonly Transferable[]): Promise<Answer>
  close(): Promise<void>
}

/** The thread crashed during its task, or was terminated because the task took too long. */
export class ThreadEnded extends Error {}

interface Options {
  timeLimitMs: number
  maxHeapMb: number
  /**
   * The entry posts a message once it is loaded, within this time, and only then the time of its first task begins: a busy
   * machine may take seconds to load it.
   */
  startMs?: number
  /** The thread ends, and gives its memory back, after this long without a task. */
  idleMs?: number
}

const IDLE_MS = 60_000

/** Creates a thread that does not keep the process alive while it has no task. */
export function createThread(entry: URL, { timeLimitMs, maxHeapMb, startMs, idleMs = IDLE_MS }: Options): Thread {
  let worker: Worker | undefined
  let loaded: Promise<unknown> = Promise.resolve()
  let last: Promise<unknown> = Promise.resolve()
  let working = 0
  let usedAt = 0
  let idleTimer: NodeJS.Timeout | undefined

  function start(): Worker {
    try {
      const started = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } }).on('error', () => {})
      started.unref()
      if (startMs !== undefined) loaded = nextMessage(started, startMs)
      loaded.catch(() => {})
      return started
    } catch (error) {
      throw notStarted(error)
    }
  }

  function use(): Worker {
    usedAt = performance.now()
    idleTimer ??= setTimeout(endWhenIdle, idleMs).unref()
    return (worker ??= start())
  }

  function endWhenIdle(): void {
    const leftMs = usedAt + idleMs - performance.now()
    idleTimer = undefined
    if (working > 0 || leftMs > 0) idleTimer = setTimeout(endWhenIdle, Math.max(leftMs, 1000)).unref()
    else void end()
  }

  async function end(): Promise<void> {
    clearTimeout(idleTimer)
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }

  async function ask(message: unknown, transfer: readonly Transferable[]): Promise<unknown> {
    const current = use()
    current.ref()
    try {
      await loaded
      const answer = nextMessage(current, timeLimitMs)
      current.postMessage(message, transfer)
      const value = await answer
      current.unref()
      return value
    } catch (error) {
      worker = undefined
      await current.terminate()
      if (lacksResources(error) || (error as NodeJS.ErrnoException).code === 'ERR_WORKER_INIT_FAILED')
        throw notStarted(error)
      throw new ThreadEnded('The thread ended before its task.', { cause: error })
    }
  }

  return {
    start: () => void use(),
    ask<Answer>(message: unknown, transfer: readonly Transferable[]) {
      working++
      const answer = last.then(() => ask(message, transfer)).finally(() => working--)
      last = answer.catch(() => {})
      return answer as Promise<Answer>
    },
    close: end,
  }
}

/** A timer of its own costs a fraction of an abort signal with a timeout. @throws Error if the thread fails or is late */
function nextMessage(worker: Worker, withinMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (result: () => void) => {
      clearTimeout(timer)
      worker.off('message', succeed).off('error', fail)
      result()
    }
    const succeed = (value: unknown) => settle(() => resolve(value))
    const fail = (error: unknown) => settle(() => reject(error))
    const timer = setTimeout(fail, withinMs, new Error('the thread took too long'))
    worker.on('message', succeed).on('error', fail)
  })
}

function notStarted(cause: unknown): ApiError {
  return Object.assign(busy(), { cause })
}
