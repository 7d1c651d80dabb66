import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { placeOf } from '../../service/blobs/blob-path.ts'
import { viewFolder } from '../../service/blobs/view-storage.ts'
import type { ContentList } from './content-list.ts'
import { copyFile, inLanes } from './copy-files.ts'

const AT_ONCE = 4

/**
 * Copies the blobs that the target lacks. A blob never changes, so one that an earlier backup copied is not read again.
 * @param known what earlier backups copied @returns all blobs of the source, and bytes copied now
 */
export async function copyContent(from: string, to: string, known: ContentList) {
  const list: ContentList = new Map()
  let bytes = 0
  const blobs = viewFolder(from).listOlderThan(new Date(8.64e15))
  await inLanes(blobs[Symbol.asyncIterator](), AT_ONCE, async ({ blob_id, size }) => {
    const before = known.get(blob_id)
    const path = join(to, placeOf(blob_id))
    // A small blob has its name before all of its bytes: what was copied then is copied again.
    const isThere = before?.size === size && (await hasSize(path, size))
    const copied = isThere ? before : await copyFile(join(from, placeOf(blob_id)), path).catch(undefinedIfGone)
    if (!copied) return
    list.set(blob_id, copied)
    if (!isThere) bytes += copied.size
  })
  return { list, bytes }
}

async function hasSize(path: string, size: number): Promise<boolean> {
  return (await stat(path).catch(undefinedIfGone))?.size === size
}

/** The sweep may remove a blob at any time. */
function undefinedIfGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
