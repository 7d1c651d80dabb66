import { FREE_SHARE } from '../../contract/endpoints/installation/system.ts'
import type { StorageView } from '../blobs/view-storage.ts'
import type { Db } from '../db/pool.ts'
import { listUnreferenced } from '../store/files/file-versions.ts'
import { countDamaged, listExpectedAfter, readStorageId } from '../store/health/content-health.ts'
import { bytes, count, type Finding, findingsOf } from './finding.ts'

const BATCH = 1000
const AT_ONCE = 32
const NAMED = 5

const found = findingsOf('content')

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
  return found.error(
    `The content store does not answer as it should: ${problem}.`,
    'Check BLOB_URL, the AWS credentials, the rights on the bucket, and the network.',
  )
}

async function awayOf(db: Db, storage: StorageView): Promise<Finding | undefined> {
  const [wanted, here] = [await readStorageId(db), await storage.id()]
  if (wanted === here) return wanted === undefined ? found.ok('There is no content yet.') : undefined
  const message =
    here === undefined
      ? 'The content is not here: it lacks the file storage-id.'
      : 'The content here belongs to another database: its storage-id differs.'
  return found.error(
    message,
    'Mount the volume, or name the bucket, that holds the content of this database, or restore it.',
  )
}

async function spaceOf(storage: StorageView): Promise<Finding[]> {
  const space = await storage.space()
  if (!space) return []
  const { free, total } = space
  const message = `${bytes(free)} of ${bytes(total)} are free.`
  if (free >= total * FREE_SHARE) return [found.ok(message)]
  return [found.warning(`Only ${message}`, 'Enlarge the file system, or empty the trash of large workspaces.')]
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
  const advice = 'Copy these files from a backup of the content, below blobs/<first two characters>/<next two>/.'
  const lost = (ids: string[], what: string) =>
    ids.length === 0 ? [] : [found.error(`${what} (${count(ids.length, 'file')}): ${named(ids)}`, advice)]
  const lacks = [...lost(missing, 'Content is missing'), ...lost(short, 'Content has another size')]
  return lacks.length > 0
    ? lacks
    : [found.ok(`The content is complete: ${count(expected.files, 'file')} in full length.`)]
}

const named = (ids: string[]) =>
  ids.length > NAMED ? `${ids.slice(0, NAMED).join(', ')} and ${ids.length - NAMED} more.` : `${ids.join(', ')}.`

async function damageOf(db: Db): Promise<Finding[]> {
  const damaged = await countDamaged(db)
  if (damaged === 0) return []
  const advice = 'Restore it from a backup. The activities of the workspaces name the files.'
  return [found.error(`The content of ${count(damaged, 'document')} was found damaged.`, advice)]
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
  if (orphans === 0) return []
  const message = `Nothing references ${count(orphans, 'file')} of the content (${bytes(size)}).`
  return [found.warning(message, 'Let a worker run: it removes such content.')]
}
