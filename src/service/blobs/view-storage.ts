import { opendir, readFile, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobPlace } from '../base/blob-place.ts'
import { placeOf } from './blob-path.ts'
import { ID_FILE } from './open-storage.ts'
import { sizeOf } from './part-store.ts'

/** Content as it lies in its folder. Looking at it changes nothing, unlike opening it for use. */
export interface StorageView {
  /** Undefined without the file that holds it, such as in an empty mount point. */
  id(): Promise<string | undefined>
  /** Bytes; undefined if the content is absent. */
  sizeOf(blobId: string): Promise<number | undefined>
  listOlderThan(date: Date): AsyncIterable<{ blob_id: string; size: number }>
  /** Bytes of the file system that this user may still write, and its size; undefined for a bucket. */
  space(): Promise<{ free: number; total: number } | undefined>
}

export const END_OF_TIME = new Date(8.64e15)

const ID = /^[0-9a-f]{32}$/
const PAIR = /^[0-9a-f]{2}$/

export async function viewStorage(place: BlobPlace): Promise<StorageView> {
  if ('folder' in place) return viewFolder(place.folder)
  const { viewBucket } = await import('./s3/view-bucket.ts')
  return viewBucket(place)
}

export function viewFolder(folder: string): StorageView {
  return {
    id: () => readFile(join(folder, ID_FILE), 'utf8').then((text) => text.trim(), undefinedIfAbsent),
    sizeOf: (blobId) => sizeOf(join(folder, placeOf(blobId))),
    listOlderThan: (date) => walk(folder, date.getTime()),
    async space() {
      const { bavail, blocks, bsize } = await statfs(folder)
      return { free: bavail * bsize, total: blocks * bsize }
    },
  }
}

async function* walk(folder: string, before: number): AsyncGenerator<{ blob_id: string; size: number }> {
  for await (const { name } of await opendir(folder)) {
    const path = join(folder, name)
    if (PAIR.test(name)) yield* walk(path, before)
    if (!ID.test(name)) continue
    // The sweep may remove a file between the two looks.
    const found = await stat(path).catch(undefinedIfAbsent)
    if (found && found.mtimeMs < before) yield { blob_id: name, size: found.size }
  }
}

function undefinedIfAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
