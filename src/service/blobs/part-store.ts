import { constants, createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { noRoom } from '../base/errors.ts'
import { moveDurably, syncFolder } from './move-durably.ts'
import { temporaryName } from './temporary-names.ts'
import { arriving, HEAD_BYTES, toRefusal } from './write-file.ts'

/** Received bytes that are not yet in a part. */
export interface Chunk {
  path: string
  size: number
}

export interface Limit {
  bytes: number
  beyond: () => Error
}

/** Stores chunked uploads as parts until they become blobs. The caller knows which bytes of a part count. */
export interface PartStore {
  /**
   * Streams a chunk into a file of its own. `onBytes` gets all bytes that are kept.
   * @throws ApiError as `limit` says beyond it, 400 if the stream breaks off, 507 if the disk is full
   */
  receive(stream: Readable, limit: Limit, onBytes: (bytes: Buffer) => void): Promise<Chunk>
  /** Writes a chunk at an offset of a part, after removing the bytes from there on. Durable when it resolves. */
  append(partId: string, offset: number, chunk: Chunk): Promise<void>
  discard(chunk: Chunk): Promise<void>
  /** Reads the bytes of a part before `end`. */
  read(partId: string, end: number): Readable
  /** The first bytes of a part, or of the blob that it has become. */
  head(partId: string, size: number): Promise<Buffer>
  /** Makes a part the blob of the same id. Idempotent. @throws Error unless it has `size` bytes */
  adopt(partId: string, size: number): Promise<void>
  /** Whether this store has the part, or the blob that it has become. */
  holds(partId: string): Promise<boolean>
  remove(partId: string): Promise<void>
  list(): AsyncIterable<string>
}

/** Receives a chunk into a temporary file of the folder. */
export async function receiveChunk(
  folder: string,
  ...[stream, limit, onBytes]: Parameters<PartStore['receive']>
): Promise<Chunk> {
  const path = join(folder, temporaryName())
  const file = await open(path, 'wx', 0o600)
  try {
    return { path, size: await writeChunk(file, arriving(stream), limit, onBytes) }
  } catch (error) {
    await rm(path, { force: true })
    throw toRefusal(error)
  } finally {
    await file.close()
  }
}

const COPY_BYTES = 1024 * 1024

/** Parts are files in `folder`. Chunks are files in `temporary`, where the sweep of blobs removes abandoned ones. */
export async function createPartStore(
  { folder, temporary, requirePresent }: { folder: string; temporary: string; requirePresent(): Promise<void> },
  blobPathOf: (blobId: string) => string,
): Promise<PartStore> {
  // `blobPathOf` checks the id.
  const pathOf = (partId: string) => blobPathOf(partId) && join(folder, partId)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const inTurn = createTurns()

  async function appendTo(partId: string, offset: number, chunk: Chunk): Promise<void> {
    const part = await open(pathOf(partId), constants.O_RDWR | constants.O_CREAT, 0o600)
    try {
      const { size } = await part.stat()
      if (size < offset) throw new Error('a part has fewer bytes than were counted')
      if (size > offset) await part.truncate(offset)
      await copyInto(part, offset, chunk)
      await part.datasync()
    } catch (error) {
      throw toRefusal(error)
    } finally {
      await part.close()
    }
    if (offset === 0) await syncFolder(folder)
  }

  return {
    async receive(...chunk) {
      await requirePresent()
      return receiveChunk(temporary, ...chunk)
    },

    async append(partId, offset, chunk) {
      await requirePresent()
      await inTurn(partId, () => appendTo(partId, offset, chunk))
    },

    discard: ({ path }) => rm(path, { force: true }),

    read: (partId, end) => createReadStream(pathOf(partId), { end: end - 1 }),

    async head(partId, size) {
      if (size === 0) return Buffer.alloc(0)
      await requirePresent()
      const path = (await sizeOf(pathOf(partId))) === undefined ? blobPathOf(partId) : pathOf(partId)
      const chunks = (await createReadStream(path, { end: HEAD_BYTES - 1 }).toArray()) as Buffer[]
      return Buffer.concat(chunks)
    },

    async adopt(partId, size) {
      await requirePresent()
      const blob = blobPathOf(partId)
      if ((await sizeOf(blob)) === undefined) {
        if (size === 0) await (await open(pathOf(partId), 'a', 0o600)).close()
        const found = await sizeOf(pathOf(partId))
        if (found !== size) throw new Error(`a part has ${found ?? 'no'} bytes instead of ${size}`)
        await moveDurably(pathOf(partId), blob)
      }
    },

    holds: async (partId) => ((await sizeOf(pathOf(partId))) ?? (await sizeOf(blobPathOf(partId)))) !== undefined,

    remove: (partId) => rm(pathOf(partId), { force: true }),

    async *list() {
      await requirePresent()
      for await (const entry of await opendir(folder)) yield entry.name
    },
  }
}

export async function writeChunk(
  file: FileHandle,
  stream: AsyncIterable<Buffer>,
  limit: Limit,
  onBytes: (bytes: Buffer) => void,
): Promise<number> {
  let size = 0
  for await (const bytes of stream) {
    size += bytes.length
    if (size > limit.bytes) throw limit.beyond()
    onBytes(bytes)
    await file.writev([bytes])
  }
  return size
}

async function copyInto(part: FileHandle, offset: number, chunk: Chunk): Promise<void> {
  let position = offset
  for await (const bytes of createReadStream(chunk.path, { highWaterMark: COPY_BYTES }) as AsyncIterable<Buffer>) {
    const { bytesWritten } = await part.write(bytes, 0, bytes.length, position)
    // A nearly full disk writes fewer bytes. Only the next write would fail.
    if (bytesWritten !== bytes.length) throw noRoom()
    position += bytesWritten
  }
  if (position !== offset + chunk.size) throw new Error('a chunk has other bytes than came in')
}

/** @returns undefined if the file does not exist */
export async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Serializes work by name: a transaction that lost its connection has lost its lock, but continues writing. */
function createTurns() {
  const last = new Map<string, Promise<void>>()
  return async (name: string, work: () => Promise<void>): Promise<void> => {
    const before = last.get(name) ?? Promise.resolve()
    const mine = before.catch(() => {}).then(work)
    last.set(name, mine)
    try {
      await mine
    } finally {
      if (last.get(name) === mine) last.delete(name)
    }
  }
}
