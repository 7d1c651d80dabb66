import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, opendir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { storageAway } from '../base/errors.ts'
import { placeOf } from './blob-path.ts'
import type { BlobStore, OpenBlob, StoredBlob } from './blob-store.ts'
import { moveDurably } from './move-durably.ts'
import { createPartStore, sizeOf } from './part-store.ts'
import { createShelves } from './shelves.ts'
import { removeOrphans, temporaryName } from './temporary-names.ts'
import { factsOf, toRefusal, writeFile } from './write-file.ts'

/** Eight times the default: halves the processor time for reading a gigabyte. */
const READ_BYTES = 512 * 1024

/**
 * Stores content in files at `<folder>/<aa>/<bb>/<id>`, readable only by the service's own user. A streamed file gets its
 * name only when all of it is on the disk: a crash leaves only a temporary file, which the sweep removes.
 * @param isPresent whether the folder is the storage at the moment, and not its empty mount point
 */
export async function createDiskStore(folder: string, isPresent = async () => true): Promise<BlobStore> {
  const temporary = join(folder, 'tmp')
  const pathOf = (blobId: string) => join(folder, placeOf(blobId))
  await mkdir(temporary, { recursive: true, mode: 0o700 })
  await removeOrphans(temporary)
  const parts = join(folder, 'parts')
  const putOnShelf = createShelves(folder)

  async function requirePresent(): Promise<void> {
    if (!(await isPresent())) throw storageAway()
  }

  /** @throws ApiError 503 if the whole storage is away, not only this file */
  async function orAway<Result>(use: Promise<Result>): Promise<Result> {
    return use.catch(async (error: NodeJS.ErrnoException) => {
      await requirePresent()
      throw error
    })
  }

  async function putWhole(content: Buffer, maxBytes: number): Promise<StoredBlob> {
    const facts = factsOf(content, maxBytes)
    const blob_id = await putOnShelf(content).catch((error: unknown) => {
      throw toRefusal(error)
    })
    return { blob_id, ...facts }
  }

  async function putStream(blob_id: string, content: AsyncIterable<Buffer>, maxBytes: number): Promise<StoredBlob> {
    const unfinished = join(temporary, temporaryName())
    try {
      const facts = await writeFile(content, unfinished, maxBytes)
      await moveDurably(unfinished, pathOf(blob_id))
      return { blob_id, ...facts }
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
  }

  return {
    requirePresent,
    parts: await createPartStore({ folder: parts, temporary, requirePresent }, pathOf),

    async write(content, maxBytes) {
      await requirePresent()
      if (Buffer.isBuffer(content)) return putWhole(content, maxBytes)
      return putStream(randomBytes(16).toString('hex'), content, maxBytes)
    },

    async put(blobId, content) {
      await requirePresent()
      return putStream(blobId, content, Infinity)
    },

    async read(blobId) {
      // Opened first, so that an absent blob fails here and not in the middle of a reply.
      const file = await orAway(open(pathOf(blobId)))
      return file.createReadStream({ highWaterMark: READ_BYTES })
    },

    async open(blobId) {
      const file = await orAway(open(pathOf(blobId))).catch(absentAsUndefined)
      return file && openBlob(file)
    },

    placeOf,

    sizeOf: (blobId) => sizeOf(pathOf(blobId)),

    async withFile(blobId, use) {
      const path = pathOf(blobId)
      if ((await sizeOf(path)) === undefined) await requirePresent()
      return use(path)
    },

    async remove(blobId) {
      await rm(pathOf(blobId), { force: true })
    },

    async *listOlderThan(date) {
      await requirePresent()
      for await (const path of oldFiles(folder, date)) {
        // Parts of chunked uploads have a sweep of their own.
        if (dirname(path) === parts) continue
        if (dirname(path) === temporary) await rm(path, { force: true })
        else if (ID.test(basename(path))) yield basename(path)
      }
    },
  }
}

function absentAsUndefined(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function openBlob(file: FileHandle): Promise<OpenBlob> {
  try {
    const { size } = await file.stat()
    return { size, read: (into, position) => readAt(file, into, position), close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function readAt(file: FileHandle, into: Uint8Array, position: number): Promise<number> {
  let filled = 0
  while (filled < into.length) {
    const { bytesRead } = await file.read(into, filled, into.length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return filled
}

const ID = /^[0-9a-f]{32}$/

async function* oldFiles(folder: string, date: Date): AsyncGenerator<string> {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* oldFiles(path, date)
    else if ((await modifiedAt(path)) < date.getTime()) yield path
  }
}

/** @returns Infinity for a file that is gone by now */
async function modifiedAt(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Infinity
    throw error
  }
}
