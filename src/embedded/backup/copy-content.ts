import type { BackupStore } from './backup-store.ts'
import type { ContentList } from './content-list.ts'
import type { ContentSource } from './content-source.ts'
import { inLanes } from './copy-files.ts'
import { blobPath } from './manifest.ts'

const AT_ONCE = 4

/**
 * Copies the blobs that the backups lack. A blob never changes, so one that an earlier backup copied is not read again.
 * @param known what earlier backups copied @returns all blobs of the source, and bytes copied now
 */
export async function copyContent(source: ContentSource, store: BackupStore, known: ContentList) {
  const list: ContentList = new Map()
  let bytes = 0
  await inLanes(source.list()[Symbol.asyncIterator](), AT_ONCE, async ({ blob_id, size }) => {
    const before = known.get(blob_id)
    // A small blob has its name before all of its bytes: what was copied then is copied again.
    const isThere = before?.size === size && (await store.sizeOf(blobPath(blob_id))) === size
    const copied = isThere ? before : await source.copy(blob_id, store, blobPath(blob_id))
    if (!copied) return
    list.set(blob_id, copied)
    if (!isThere) bytes += copied.size
  })
  return { list, bytes }
}
