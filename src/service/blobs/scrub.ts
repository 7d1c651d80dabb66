import type { Db } from '../db/pool.ts'
import { clearDamage, listUnchecked, noteChecked, recordDamage } from '../store/documents/damage.ts'
import type { BlobStore } from './blob-store.ts'
import { findDamage } from './integrity.ts'

export interface ScrubOptions {
  /** Content is compared again if its last comparison is older than this. */
  before: Date
  bytesPerSecond: number
  /** The link in the mails. */
  url: string
}

const BATCH = 20

/** Compares some stored content with its hash, slowly, and marks damage. @returns the number of compared blobs */
export async function scrub(db: Db, blobs: BlobStore, { before, bytesPerSecond, url }: ScrubOptions): Promise<number> {
  const unchecked = await listUnchecked(db, before, BATCH)
  for (const content of unchecked) {
    const damage = await findDamage(blobs, content, bytesPerSecond)
    if (damage) await recordDamage(db, content.blob_id, damage, url)
    else if (content.damaged) await clearDamage(db, content.blob_id)
    await noteChecked(db, content)
  }
  return unchecked.length
}
