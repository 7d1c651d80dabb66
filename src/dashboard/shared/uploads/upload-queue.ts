import { t } from '@lingui/core/macro'
import { ApiFailure, messageOf } from '../../api/failures.ts'
import { newId } from '../new-id.ts'
import { attempt } from './send/attempts.ts'
import { Lanes } from './send/lanes.ts'
import type { Sending } from './send/sending.ts'
import { CHUNKED_FROM, FRESH, foldersAbove, type NamedFile, type StoredFile, type Upload } from './upload.ts'

const LANES = 3
/** HTTP status if the service has no room left for files. */
const FULL = 507
/** Minimum time between two notifications of progress, in milliseconds. */
const PULSE = 100

export interface UploadQueueParts {
  send: (sending: Sending) => Promise<StoredFile>
  /** Returns the id of the folder that a dropped directory becomes. */
  findFolder: (upload: Upload) => Promise<number>
  onStored: () => void
  /** No upload is running or waiting any more. */
  onIdle: () => void
  onFailure: (failure: unknown) => void
  retryDelay?: (attempt: number) => number
  untilOnline?: (signal: AbortSignal) => Promise<void>
  /** For the time after a reload: new or changed uploads to keep, and uploads to forget. */
  onKeep?: (uploads: readonly Upload[]) => void
  onForget?: (uploads: readonly Upload[]) => void
  /** The user has given up an upload that the service knows. */
  onGivenUp?: (uploadId: number, workspaceId: number) => void
}

export interface UploadList {
  uploads: readonly Upload[]
  paused: boolean
  /** More files are being prepared before they are added. */
  preparing: boolean
}

/** Sends files, three at a time, the small files of a folder in the order they were added. Knows no components. */
export class UploadQueue {
  private parts: UploadQueueParts
  private uploads = new Map<number, Upload>()
  private lanes = new Lanes()
  private running = new Map<number, AbortController>()
  private paused = false
  private signedOut = false
  private lastId = 0
  private preparing = 0
  private list: UploadList = { uploads: [], paused: false, preparing: false }
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

  /** Sets `preparing` while `work` finds out which files to add, which takes a moment for many files. */
  async prepare<T>(work: () => Promise<T>): Promise<T> {
    this.preparing += 1
    this.publish()
    try {
      return await work()
    } finally {
      this.preparing -= 1
      this.publish()
    }
  }

  add(workspaceId: number, folderId: number, files: readonly NamedFile[]) {
    if (this.running.size === 0 && this.lanes.isEmpty) this.forgetDone()
    const added = files.map(({ file, name }): Upload => {
      const { size, lastModified } = file
      const place = { workspaceId, folderId, path: foldersAbove(file), name, fileName: file.name }
      // Only files have a file handle.
      const handle = file.handle?.kind === 'file' ? (file.handle as FileSystemFileHandle) : undefined
      return { ...FRESH, ...place, id: this.nextId(), key: newId(), size, lastModified, file, handle, state: 'waiting' }
    })
    this.enter(added)
    this.parts.onKeep?.(added)
  }

  /** Restores uploads that were unfinished before the page was loaded; their files are missing. */
  recall(uploads: readonly Upload[]) {
    for (const upload of uploads) {
      if (this.uploads.has(upload.id)) continue
      this.uploads.set(upload.id, { ...upload, file: undefined, again: true, state: 'missing' })
      this.lastId = Math.max(this.lastId, upload.id)
    }
    this.publish()
  }

  /** Continues missing uploads with their files, by the id of the upload. @returns how many */
  supply(files: readonly { id: number; file: File }[]): number {
    const supplied = files.flatMap(({ id, file }) => {
      const upload = this.uploads.get(id)
      return upload?.state === 'missing' ? [{ ...upload, file, state: 'waiting' as const }] : []
    })
    this.enter(supplied)
    return supplied.length
  }

  /** Starts no more uploads. Files in chunks stop and resume later where they were; small files are still sent. */
  pause() {
    this.paused = true
    for (const id of this.running.keys()) {
      const upload = this.uploads.get(id)
      if (upload && upload.size > CHUNKED_FROM) this.stop(upload, 'waiting')
    }
    this.publish()
  }

  resume() {
    this.goOn()
    this.publish()
    this.fillLanes()
  }

  /** Resumes if the queue was paused because the session had ended. */
  signedIn() {
    if (this.signedOut) this.resume()
  }

  pauseOne(id: number) {
    const upload = this.uploads.get(id)
    if (upload?.state === 'sending') this.stop(upload, 'paused')
    else if (upload?.state === 'waiting') this.change(id, { state: 'paused' })
    this.publish()
  }

  /** Continues a paused upload, or tries a failed one again. */
  retry(id: number) {
    this.putBack([id])
  }

  retryFailed() {
    this.putBack([...this.uploads.values()].filter(({ state }) => state === 'failed').map(({ id }) => id))
  }

  cancel(ids: readonly number[]) {
    const dropped = ids.flatMap((id) => this.uploads.get(id) ?? [])
    for (const { id, uploadId, workspaceId, state } of dropped) {
      this.uploads.delete(id)
      this.running.get(id)?.abort()
      if (uploadId !== undefined && state !== 'done') this.parts.onGivenUp?.(uploadId, workspaceId)
    }
    this.parts.onForget?.(dropped)
    this.publish()
  }

  /** Stops and forgets everything. */
  clear() {
    this.lanes.clear()
    this.goOn()
    this.cancel([...this.uploads.keys()])
  }

  /** Stops without giving up the uploads at the service, because they belong to another user. */
  leave() {
    this.lanes.clear()
    this.goOn()
    this.uploads.clear()
    for (const controller of this.running.values()) controller.abort()
    this.publish()
  }

  private goOn() {
    this.paused = false
    this.signedOut = false
  }

  private nextId(): number {
    // Greater than the ids of earlier pages, under which the browser keeps their uploads.
    this.lastId = Math.max(this.lastId + 1, Date.now() * 1000)
    return this.lastId
  }

  private enter(uploads: readonly Upload[]) {
    for (const upload of uploads) {
      this.uploads.set(upload.id, upload)
      this.lanes.add(upload)
    }
    this.publish()
    this.fillLanes()
  }

  /** Removes finished uploads, so that the next uploads begin a new report. */
  private forgetDone() {
    for (const { id, state } of this.uploads.values()) if (state === 'done') this.uploads.delete(id)
  }

  private putBack(ids: number[]) {
    for (const id of ids) {
      this.change(id, { state: 'waiting', failure: undefined })
      const upload = this.uploads.get(id)
      if (upload) this.lanes.add(upload)
    }
    this.publish()
    this.fillLanes()
  }

  private stop(upload: Upload, state: 'waiting' | 'paused') {
    this.running.get(upload.id)?.abort()
    this.change(upload.id, { state })
    if (state === 'waiting') this.lanes.addFirst(upload)
  }

  private fillLanes() {
    while (!this.paused && this.running.size < LANES) {
      const next = this.lanes.take()
      if (!next) break
      const upload = this.uploads.get(next.id)
      // An upload that was cancelled or paused meanwhile is not sent, but its lane was taken.
      if (upload?.state === 'waiting') void this.run(upload, next.lane)
      else this.lanes.release(next.lane)
    }
    if (this.running.size === 0 && this.lanes.isEmpty) this.parts.onIdle()
  }

  private async run(upload: Upload, lane: string) {
    const { id, size } = upload
    const controller = new AbortController()
    this.running.set(id, controller)
    this.change(id, { state: 'sending', failure: undefined })
    this.publishSoon()
    try {
      const stored = await this.persist(upload, controller.signal)
      this.change(id, { state: 'done', sent: size, failure: undefined, stored })
      this.parts.onForget?.([upload])
      this.parts.onStored()
    } catch (error) {
      if (!controller.signal.aborted) this.fail(id, error)
    } finally {
      this.running.delete(id)
      this.lanes.release(lane)
      this.publishSoon()
      this.fillLanes()
    }
  }

  private persist({ id }: Upload, signal: AbortSignal): Promise<StoredFile> {
    const { retryDelay, untilOnline } = this.parts
    const onRetry = (failure: ApiFailure) => {
      this.change(id, { failure: messageOf(failure) })
      this.publishSoon()
    }
    const sent = () => this.uploads.get(id)?.sent ?? 0
    return attempt(() => this.send(id, signal), { sent, onRetry, retryDelay, untilOnline, signal })
  }

  private async send(id: number, signal: AbortSignal): Promise<StoredFile> {
    const upload = this.uploads.get(id)
    if (!upload?.file) throw new Error('an upload without its file')
    const { workspaceId, path, file, name, again, key, uploadId } = upload
    const folderId = path.length === 0 ? upload.folderId : await this.parts.findFolder(upload)
    signal.throwIfAborted()
    this.change(id, { again: true })
    const onProgress = (sent: number) => {
      this.change(id, { sent, failure: undefined })
      this.publishSoon()
    }
    const onBegun = (begun: number) => {
      this.change(id, { uploadId: begun })
      const changed = this.uploads.get(id)
      if (changed) this.parts.onKeep?.([changed])
      else this.parts.onGivenUp?.(begun, workspaceId)
    }
    return this.parts.send({ workspaceId, folderId, file, name, again, key, uploadId, onBegun, onProgress, signal })
  }

  /** A failure that would stop every file pauses the queue; any other concerns this file, which can be retried. */
  private fail(id: number, error: unknown) {
    this.parts.onFailure(error)
    const upload = this.uploads.get(id)
    const signedOut = error instanceof ApiFailure && error.signedOut
    const full = error instanceof ApiFailure && error.code === FULL
    if (upload && (signedOut || full)) {
      this.paused = true
      this.signedOut ||= signedOut
      this.change(id, { state: 'waiting', failure: full ? messageOf(error) : undefined })
      this.lanes.addFirst(upload)
    } else {
      this.change(id, { state: 'failed', failure: reasonOf(error) })
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
    this.list = { uploads: [...this.uploads.values()], paused: this.paused, preparing: this.preparing > 0 }
    for (const listener of this.listeners) listener()
  }
}

function reasonOf(error: unknown): string {
  const isGone = error instanceof ApiFailure && error.code === 404
  return isGone ? t`The folder is gone, or no longer open to you.` : messageOf(error)
}
