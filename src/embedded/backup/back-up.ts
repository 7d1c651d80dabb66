import { once } from 'node:events'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type BlobPlace, contentPlace, nameOf, type S3Place } from '../../service/base/blob-place.ts'
import { openPool } from '../../service/db/pool.ts'
import { recordBackup } from '../../service/store/health/backups.ts'
import { listUploadedHashes } from '../../service/store/health/content-health.ts'
import type { Config } from '../config.ts'
import { MAJOR } from '../postgres/binaries.ts'
import { type ReachedDatabase, reachDatabase } from '../reach-database.ts'
import type { BackupStore } from './backup-store.ts'
import type { ContentList } from './content-list.ts'
import { openContentSource } from './content-source.ts'
import { copyContent } from './copy-content.ts'
import { copyDatabase } from './copy-database.ts'
import { undefinedIfGone } from './copy-files.ts'
import { openBackupStore } from './open-backup-store.ts'
import { complete, type Manifest, nameAt, pathIn, prune, readContent } from './manifest.ts'
import { sentenceOf } from './sentence-of.ts'

export interface Backup extends Manifest {
  path: string
  /** Bytes of the database and its log; 0 for an external one. */
  database_bytes: number
  /** Bytes of content that earlier backups did not have. */
  new_bytes: number
  /** Blobs whose bytes are not those that were uploaded. */
  damaged: string[]
}

/**
 * Backs up a running or stopped installation as `<time>` in a folder or bucket. The content is copied before and after
 * the database, so that it has all that the copied database names. The database of the installation gets a record.
 * @throws Error in one sentence; an incomplete backup is not kept
 */
export async function backUp(
  config: Config,
  to: BlobPlace,
  keep = Infinity,
  now = new Date(),
  signal: AbortSignal = new AbortController().signal,
): Promise<Backup> {
  await requireOutside(config, to)
  await using database = await reachDatabase(config)
  const noting = (outcome: Backup | string) => record(database.url, nameOf(to), now, outcome)
  try {
    const store = await openBackupStore(to, config.dataDir)
    const lock = await store.lock()
    try {
      await prune(store, Infinity)
      const backup = await Promise.race([write(config, store, database, now), aborted(signal)])
      await noting(backup)
      await prune(store, keep)
      return backup
    } finally {
      lock.release()
    }
  } catch (error) {
    await noting(sentenceOf(error)).catch(() => {})
    throw error
  }
}

async function aborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort')
  throw signal.reason
}

async function requireOutside(config: Config, to: BlobPlace): Promise<void> {
  const content = contentPlace(config)
  if (!('folder' in to)) {
    if ('folder' in content || !overlaps(content, to)) return
    throw new Error('A backup cannot be in the content that it is of. Name another prefix or bucket.')
  }
  const [data, backups] = [await realFolder(config.dataDir), await realFolder(to.folder)]
  if (backups.startsWith(data)) throw new Error('A backup cannot be in the data folder that it is of.')
  if (!('folder' in content)) return
  const [ours, theirs] = [await realFolder(content.folder), await realFolder(join(to.folder, 'blobs'))]
  if (!ours.startsWith(theirs) && !theirs.startsWith(ours)) return
  throw new Error('A backup cannot be in the content that it is of. Name another folder.')
}

/** The path without links, also of a folder that does not exist yet, with a slash at its end. */
async function realFolder(folder: string): Promise<string> {
  const found = await realpath(folder).catch(undefinedIfGone)
  return found === undefined
    ? `${await realFolder(dirname(folder))}${basename(folder)}/`
    : `${found}/`.replace('//', '/')
}

const overlaps = (a: S3Place, b: S3Place): boolean =>
  a.bucket === b.bucket && (a.prefix.startsWith(b.prefix) || b.prefix.startsWith(a.prefix))

async function write(config: Config, store: BackupStore, database: ReachedDatabase, now: Date): Promise<Backup> {
  const name = nameAt(now)
  const draft = store.draftOf(name)
  const content = openContentSource(contentPlace(config))
  const newest = (await store.listBackups()).at(-1)
  const known: ContentList = newest ? await readContent(store, newest) : new Map()
  const first = await copyContent(content, store, known)
  const isOurs = database.state !== 'external'
  const cluster = join(config.dataDir, 'postgres')
  const database_bytes = isOurs ? await copyDatabase(database.url, cluster, store, `${draft}/postgres`) : 0
  const second = await copyContent(content, store, first.list)
  const list: ContentList = new Map([...first.list, ...second.list])
  await content.copyRest(store, draft)
  await copyKeys(config, store, draft)
  const facts: Manifest = {
    format: 1,
    created_at: now.toISOString(),
    postgres: isOurs ? MAJOR : null,
    blobs: list.size,
    bytes: [...list.values()].reduce((sum, { size }) => sum + size, 0),
  }
  await complete(store, name, facts, list)
  const damaged = await listDamaged(database.url, list)
  return { ...facts, path: pathIn(store, name), database_bytes, new_bytes: first.bytes + second.bytes, damaged }
}

/** Copies the files with the secrets that the first start made. */
async function copyKeys({ dataDir }: Config, store: BackupStore, draft: string): Promise<void> {
  for (const name of ['credentials.json', 'demo.json']) {
    await store.putFile(join(dataDir, name), `${draft}/${name}`).catch(undefinedIfGone)
  }
}

const NOTHING = { postgres: null, database_bytes: 0, blobs: 0, bytes: 0, new_bytes: 0, damaged: [] as string[] }

async function record(databaseUrl: string, target: string, begun: Date, outcome: Backup | string) {
  const failure = typeof outcome === 'string' ? outcome : null
  const made = typeof outcome === 'string' ? NOTHING : outcome
  const db = openPool(databaseUrl, 1, 0)
  try {
    await recordBackup(db, {
      begun_at: begun.toISOString(),
      ended_at: new Date().toISOString(),
      target,
      database_bytes: made.postgres === null ? null : made.database_bytes,
      files: made.blobs,
      bytes: made.bytes,
      new_bytes: made.new_bytes,
      damaged: made.damaged.length,
      failure,
    })
  } finally {
    await db.destroy()
  }
}

const BATCH = 1000

async function listDamaged(databaseUrl: string, list: ContentList): Promise<string[]> {
  const db = openPool(databaseUrl, 1, 0)
  const ids = [...list.keys()]
  const damaged: string[] = []
  try {
    for (let at = 0; at < ids.length; at += BATCH) {
      for (const { blob_id, sha256 } of await listUploadedHashes(db, ids.slice(at, at + BATCH))) {
        if (list.get(blob_id)?.sha256 !== sha256) damaged.push(blob_id)
      }
    }
  } finally {
    await db.destroy()
  }
  return damaged
}
