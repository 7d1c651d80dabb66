import type { Db } from '../db/pool.ts'
import { deleteDocuments } from '../store/documents.ts'
import { listUnreferenced } from '../store/file-versions.ts'
import type { BlobStore } from './blob-store.ts'

const BATCH = 500

/**
 * Removes content that no file version names, nor is it made of such: uploads whose transaction failed, or whose service
 * died, and what was purged. `olderThan` leaves those alone that are about to be committed. `forget` is told of what is
 * removed. @returns how many were removed
 */
export async function sweepBlobs(
  db: Db,
  blobs: BlobStore,
  olderThan: Date,
  forget: (blobIds: readonly string[]) => Promise<void> = async () => {},
): Promise<number> {
  let removed = 0
  let batch: string[] = []
  const removeBatch = async () => {
    if (batch.length === 0) return
    const orphans = await listUnreferenced(db, batch)
    await Promise.all([...orphans.map((blobId) => blobs.remove(blobId)), forget(orphans)])
    await deleteDocuments(db, orphans)
    removed += orphans.length
    batch = []
  }
  for await (const blobId of blobs.listOlderThan(olderThan)) {
    batch.push(blobId)
    if (batch.length === BATCH) await removeBatch()
  }
  await removeBatch()
  return removed
}
