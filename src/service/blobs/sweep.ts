import type { Db } from '../db/pool.ts'
import { listUnreferenced } from '../store/file-versions.ts'
import type { BlobStore } from './blob-store.ts'

const BATCH = 500

/**
 * Removes content that no file version names: uploads whose transaction failed, or whose service died. `olderThan`
 * leaves those alone that are about to be committed. @returns how many were removed
 */
export async function sweepBlobs(db: Db, blobs: BlobStore, olderThan: Date): Promise<number> {
  let removed = 0
  let batch: string[] = []
  for await (const blobId of blobs.listOlderThan(olderThan)) {
    batch.push(blobId)
    if (batch.length < BATCH) continue
    removed += await removeUnreferenced(db, blobs, batch)
    batch = []
  }
  return removed + (await removeUnreferenced(db, blobs, batch))
}

async function removeUnreferenced(db: Db, blobs: BlobStore, batch: readonly string[]): Promise<number> {
  if (batch.length === 0) return 0
  const orphans = await listUnreferenced(db, batch)
  await Promise.all(orphans.map((blobId) => blobs.remove(blobId)))
  return orphans.length
}
