import { FREE_SHARE } from '../../contract/endpoints/installation/system.ts'
import type { StorageView } from '../blobs/view-storage.ts'
import type { Db } from '../db/pool.ts'
import { listUnreferenced } from '../store/files/file-versions.ts'
import { countDamaged, listExpectedAfter, readStorageId } from '../store/health/content-health.ts'
import { type Finding, finding, named } from './finding.ts'

const BATCH = 1000
const AT_ONCE = 32

export interface ContentAmount {
  files: number
  bytes: number
}

interface Options {
  /** Content older than this that nothing references should have been swept. */
  sweptBefore: Date
  counted?: ((content: ContentAmount) => void) | undefined
}

export async function checkContent(
  db: Db,
  storage: StorageView,
  { sweptBefore, counted }: Options,
): Promise<Finding[]> {
  const away = await awayOf(db, storage).catch(unreachable)
  if (away) return [away]
  return [
    ...(await spaceOf(storage)),
    ...(await presenceOf(db, storage, counted)),
    ...(await damageOf(db)),
    ...(await orphansOf(db, storage, sweptBefore)),
  ]
}

function unreachable(error: Error): Finding {
  const problem = error.cause instanceof Error ? error.cause.message : error.message
  return finding('storage_away', { reason: problem })
}

async function awayOf(db: Db, storage: StorageView): Promise<Finding | undefined> {
  const [wanted, here] = [await readStorageId(db), await storage.id()]
  if (wanted === here) return wanted === undefined ? finding('no_content') : undefined
  return finding(here === undefined ? 'content_elsewhere' : 'content_foreign')
}

async function spaceOf(storage: StorageView): Promise<Finding[]> {
  const space = await storage.space()
  if (!space) return []
  const { free, total } = space
  return [finding(free < total * FREE_SHARE ? 'space_low' : 'space_enough', { free, total })]
}

async function presenceOf(db: Db, storage: StorageView, counted: Options['counted']): Promise<Finding[]> {
  const expected: ContentAmount = { files: 0, bytes: 0 }
  const missing: string[] = []
  const short: string[] = []
  for (let last = ''; ;) {
    const batch = await listExpectedAfter(db, last, BATCH)
    if (batch.length === 0) break
    last = batch.at(-1)?.blob_id ?? ''
    expected.files += batch.length
    expected.bytes += batch.reduce((sum, { size }) => sum + size, 0)
    for (let at = 0; at < batch.length; at += AT_ONCE) {
      const some = batch.slice(at, at + AT_ONCE)
      const sizes = await Promise.all(some.map(({ blob_id }) => storage.sizeOf(blob_id)))
      some.forEach(({ blob_id, size }, index) => {
        if (sizes[index] === undefined) missing.push(blob_id)
        else if (sizes[index] !== size) short.push(blob_id)
      })
    }
  }
  counted?.(expected)
  const lacks = [...lost('content_missing', missing), ...lost('content_short', short)]
  return lacks.length > 0 ? lacks : [finding('content_complete', { files: expected.files })]
}

const lost = (code: 'content_missing' | 'content_short', ids: string[]): Finding[] =>
  ids.length === 0 ? [] : [finding(code, { files: ids.length, ids: named(ids) })]

async function damageOf(db: Db): Promise<Finding[]> {
  const documents = await countDamaged(db)
  return documents === 0 ? [] : [finding('content_damaged', { documents })]
}

async function orphansOf(db: Db, storage: StorageView, before: Date): Promise<Finding[]> {
  let orphans = 0
  let size = 0
  let batch = new Map<string, number>()
  const judge = async () => {
    for (const blobId of await listUnreferenced(db, [...batch.keys()])) {
      orphans += 1
      size += batch.get(blobId) ?? 0
    }
    batch = new Map()
  }
  for await (const blob of storage.listOlderThan(before)) {
    batch.set(blob.blob_id, blob.size)
    if (batch.size === BATCH) await judge()
  }
  await judge()
  return orphans === 0 ? [] : [finding('content_unreferenced', { files: orphans, size })]
}
