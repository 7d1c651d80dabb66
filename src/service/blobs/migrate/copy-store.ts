import { createHash } from 'node:crypto'
import type { Db } from '../../db/pool.ts'
import { listUploadedHashes } from '../../store/health/content-health.ts'
import type { BlobStore } from '../blob-store.ts'
import { END_OF_TIME, type StorageView } from '../view-storage.ts'

const BATCH = 100
const AT_ONCE = 4

export interface CopiedContent {
  copied: number
  bytes: number
  kept: number
  /** Content whose bytes are not those that were uploaded; it is copied all the same. */
  damaged: string[]
}

interface Stores {
  /** Lists the content of the source, without the sweep that a store does while it lists. */
  view: StorageView
  source: BlobStore
  target: BlobStore
}

/**
 * Copies all content from one store to another, while others use both. Content that the target has in full length is
 * left alone, so that a copy that was interrupted goes on. Every copy is read again and compared with its hash.
 */
export async function copyStore(db: Db, stores: Stores, tell: (done: CopiedContent) => void): Promise<CopiedContent> {
  const done: CopiedContent = { copied: 0, bytes: 0, kept: 0, damaged: [] }
  let batch: Found[] = []
  const flush = async () => {
    await copyBatch(db, stores, batch, done)
    batch = []
    tell(done)
  }
  for await (const found of stores.view.listOlderThan(END_OF_TIME)) {
    batch.push(found)
    if (batch.length === BATCH) await flush()
  }
  if (batch.length > 0) await flush()
  return done
}

interface Found {
  blob_id: string
  size: number
}

async function copyBatch(db: Db, stores: Stores, batch: Found[], done: CopiedContent): Promise<void> {
  const rows = await listUploadedHashes(
    db,
    batch.map(({ blob_id }) => blob_id),
  )
  const hashes = new Map(rows.map(({ blob_id, sha256 }) => [blob_id, sha256]))
  for (let at = 0; at < batch.length; at += AT_ONCE)
    await Promise.all(
      batch.slice(at, at + AT_ONCE).map((each) => copyOne(stores, each, hashes.get(each.blob_id), done)),
    )
}

async function copyOne(
  { source, target }: Stores,
  { blob_id, size }: Found,
  uploaded: string | undefined,
  done: CopiedContent,
): Promise<void> {
  if ((await target.sizeOf(blob_id)) === size) {
    done.kept++
    return
  }
  const sent = await copyBytes(source, target, blob_id)
  if (sent === undefined) return
  if ((await hashOf(target, blob_id)) !== sent) {
    await target.remove(blob_id)
    throw new Error(`The copy of ${blob_id} has other bytes than were sent, and was removed.`)
  }
  if (uploaded !== undefined && uploaded !== sent) done.damaged.push(blob_id)
  done.copied++
  done.bytes += size
}

/** @returns the hash of the bytes, or undefined if the content was removed meanwhile */
async function copyBytes(source: BlobStore, target: BlobStore, blobId: string): Promise<string | undefined> {
  try {
    const { sha256 } = await target.put(blobId, (await source.read(blobId)) as AsyncIterable<Buffer>)
    return sha256.toString('hex')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

async function hashOf(store: BlobStore, blobId: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of (await store.read(blobId)) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}
