import type { Db } from '../db/pool.ts'
import { listOrphanedParts, sweepUploads } from '../store/files/uploads.ts'
import type { PartStore } from './part-store.ts'

const BATCH = 500

/** Deletes expired uploads, and removes their parts and those of aborted uploads. @returns the number of parts */
export async function sweepParts(db: Db, parts: PartStore, now: Date): Promise<number> {
  await sweepUploads(db, now)
  let removed = 0
  let batch: string[] = []
  const removeBatch = async () => {
    // An upload is in the database before it has a part, so a part without an upload is useless.
    const orphans = batch.length === 0 ? [] : await listOrphanedParts(db, batch)
    await Promise.all(orphans.map((partId) => parts.remove(partId)))
    removed += orphans.length
    batch = []
  }
  for await (const partId of parts.list()) {
    batch.push(partId)
    if (batch.length === BATCH) await removeBatch()
  }
  await removeBatch()
  return removed
}
