import type { Db } from '../db/pool.ts'
import { deleteDocuments } from '../store/documents/documents.ts'
import { listUnreferenced } from '../store/files/file-versions.ts'
import type { BlobStore } from './blob-store.ts'

const BATCH = 500

/**
 * Removes content that no file version and no terms reference and that is not made of referenced content: uploads whose transaction
 * failed or whose service died, and purged content. `olderThan` spares content that is about to be committed. `forget`
 * gets the removed ids.
 * @param found the findings of the previous sweep of this process: only those are removed, because a clock that jumps
 * ahead makes content look old whose transaction is about to be committed
 * @returns the number of removed blobs
 */
export async function sweepBlobs(
  db: Db,
  blobs: BlobStore,
  olderThan: Date,
  forget: (blobIds: readonly string[]) => Promise<void> = async () => {},
  found?: Set<string>,
): Promise<number> {
  let removed = 0
  const foundBefore = found && new Set(found)
  found?.clear()
  let batch: string[] = []
  const removeBatch = async () => {
    if (batch.length === 0) return
    const unreferenced = await listUnreferenced(db, batch)
    const orphans = unreferenced.filter((blobId) => foundBefore?.has(blobId) ?? true)
    for (const blobId of unreferenced) found?.add(blobId)
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
