import { ApiFailure, messageOf } from '../../api/failures.ts'
import type { Sending } from './send-file.ts'
import { foldersAbove, inReadingOrder, type ChosenFile, type StoredFile, type Upload } from './upload.ts'

const LANES = 3
const ATTEMPTS = 3
/** Screens hear of progress at most this often, in milliseconds. */
const PULSE = 100

export interface UploadQueueParts {
  send: (sending: Sending) => Promise<StoredFile>
  /** Id of the folder a dropped directory becomes. */
  findFolder: (upload: Upload) => Promise<number>
  /** A file has arrived. */
  onStored: () => void
  /** Nothing is under way any more. */
  onIdle: () => void
  onFailure: (failure: unknown) => void
  retryDelay?: (attempt: number) => number
}

export interface UploadList {
  uploads: readonly Upload[]
  paused: boolean
}

/** Files on their way, three at a time, in the order they were added. Knows nothing of screens. */
export class UploadQueue {
  private parts: UploadQueueParts
  private uploads = new Map<number, Upload>()
  private waiting: number[] = []
  private running = new Map<number, AbortController>()
  private paused = false
  private lastId = 0
  private list: UploadList = { uploads: [], paused: false }
  private listeners = new Set<() => void>()
  private pulse: ReturnType<typeof setTimeout> | undefined

  constructor(parts: UploadQueueParts) {
    this.parts = parts
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly snapshot = () => this.list

  add(workspaceId: number, folderId: number, files: readonly ChosenFile[]) {
    if (this.running.size === 0 && this.waiting.length === 0) this.forgetDone()
    for (const file of inReadingOrder(files)) {
      const id = (this.lastId += 1)
      const rest = { state: 'waiting', sent: 0, failure: undefined, version: undefined } as const
      this.uploads.set(id, { id, workspaceId, folderId, path: foldersAbove(file), file, ...rest })
      this.waiting.push(id)
    }
    this.publish()
    this.fillLanes()
  }

  /** What is being sent goes on; nothing new begins. */
  pause() {
    this.paused = true
    this.publish()
  }

  resume() {
    this.paused = false
    this.publish()
    this.fillLanes()
  }

  retry(id: number) {
    this.putBack([id])
  }

  retryFailed() {
    this.putBack([...this.uploads.values()].filter(({ state }) => state === 'failed').map(({ id }) => id))
  }

  cancel(id: number) {
    this.uploads.delete(id)
    this.running.get(id)?.abort()
    this.publish()
  }

  /** Stops and forgets everything. */
  clear() {
    const running = [...this.running.values()]
    this.uploads.clear()
    this.waiting = []
    this.paused = false
    for (const controller of running) controller.abort()
    this.publish()
  }

  /** A report that was read: the next uploads begin one of their own. */
  private forgetDone() {
    for (const { id, state } of this.uploads.values()) if (state === 'done') this.uploads.delete(id)
  }

  private putBack(ids: number[]) {
    for (const id of ids) {
      this.change(id, { state: 'waiting', sent: 0, failure: undefined })
      this.waiting.push(id)
    }
    this.publish()
    this.fillLanes()
  }

  private fillLanes() {
    while (!this.paused && this.running.size < LANES && this.waiting.length > 0) {
      const upload = this.uploads.get(this.waiting.shift() ?? 0)
      // What was cancelled meanwhile is gone.
      if (upload?.state === 'waiting') void this.run(upload)
    }
    if (this.running.size === 0 && this.waiting.length === 0) this.parts.onIdle()
  }

  private async run(upload: Upload) {
    const { id } = upload
    const controller = new AbortController()
    this.running.set(id, controller)
    this.change(id, { state: 'sending' })
    try {
      const stored = await this.persist(upload, controller.signal)
      this.change(id, { state: 'done', sent: upload.file.size, version: stored.version })
      this.parts.onStored()
    } catch (error) {
      if (!controller.signal.aborted) this.fail(id, error)
    } finally {
      this.running.delete(id)
      this.publishSoon()
      this.fillLanes()
    }
  }

  private async persist(upload: Upload, signal: AbortSignal): Promise<StoredFile> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.send(upload, signal)
      } catch (error) {
        const again = error instanceof ApiFailure && error.passing && attempt < ATTEMPTS
        if (!again || signal.aborted) throw error
        await pauseFor(this.parts.retryDelay?.(attempt) ?? 1000 * 2 ** attempt, signal)
      }
    }
  }

  private async send(upload: Upload, signal: AbortSignal): Promise<StoredFile> {
    const { workspaceId, path, file } = upload
    const folderId = path.length === 0 ? upload.folderId : await this.parts.findFolder(upload)
    signal.throwIfAborted()
    const onProgress = (sent: number) => {
      this.change(upload.id, { sent })
      this.publishSoon()
    }
    return this.parts.send({ workspaceId, folderId, file, onProgress, signal })
  }

  /** Whoever has to sign in again keeps the place in the queue; any other failure waits for a retry by hand. */
  private fail(id: number, error: unknown) {
    this.parts.onFailure(error)
    if (error instanceof ApiFailure && error.signedOut) {
      this.paused = true
      this.change(id, { state: 'waiting', sent: 0 })
      this.waiting.unshift(id)
    } else {
      this.change(id, { state: 'failed', sent: 0, failure: messageOf(error) })
    }
  }

  private change(id: number, change: Partial<Upload>) {
    const upload = this.uploads.get(id)
    if (upload) this.uploads.set(id, { ...upload, ...change })
  }

  private publishSoon() {
    this.pulse ??= setTimeout(() => this.publish(), PULSE)
  }

  private publish() {
    clearTimeout(this.pulse)
    this.pulse = undefined
    this.list = { uploads: [...this.uploads.values()], paused: this.paused }
    for (const listener of this.listeners) listener()
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
