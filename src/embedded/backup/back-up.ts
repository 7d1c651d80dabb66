import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { type BlobPlace, contentPlace } from '../../service/base/blob-place.ts'
import { openPool } from '../../service/db/pool.ts'
import { listUploadedHashes } from '../../service/store/health/content-health.ts'
import type { Config } from '../config.ts'
import { lockDataDir } from '../lock.ts'
import { MAJOR } from '../postgres/binaries.ts'
import { reachDatabase } from '../reach-database.ts'
import { blobsIn, complete, draftOf, listBackups, type Manifest, nameAt, prune, readContent } from './backup-folder.ts'
import type { ContentList } from './content-list.ts'
import { copyContent } from './copy-content.ts'
import { copyDatabase } from './copy-database.ts'
import { copyFile, copyFolder } from './copy-files.ts'

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
 * Backs up a running or stopped installation into `<folder>/<time>`. The content is copied before and after the
 * database, so that it has all that the copied database names.
 * @throws Error in one sentence; an incomplete backup is not kept
 */
export async function backUp(config: Config, folder: string, keep = Infinity, now = new Date()): Promise<Backup> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await requireOutside(config.dataDir, folder)
  const lock = await lockDataDir(folder)
  try {
    await prune(folder, Infinity)
    const backup = await write(config, folder, nameAt(now), now)
    await prune(folder, keep)
    return backup
  } finally {
    lock.release()
  }
}

async function requireOutside(dataDir: string, folder: string): Promise<void> {
  const [data, backups] = [`${await realpath(dataDir)}/`, `${await realpath(folder)}/`]
  if (backups.startsWith(data)) throw new Error('A backup cannot be in the data folder that it is of.')
}

async function write(config: Config, folder: string, name: string, now: Date): Promise<Backup> {
  const draft = draftOf(folder, name)
  await mkdir(draft, { mode: 0o700 })
  const content = contentPlace(config)
  await using database = await reachDatabase(config)
  const newest = (await listBackups(folder)).at(-1)
  const known: ContentList = newest ? await readContent(join(folder, newest)) : new Map()
  const first = await copyFrom(content, folder, known)
  const isOurs = database.state !== 'external'
  const cluster = join(config.dataDir, 'postgres')
  const database_bytes = isOurs ? await copyDatabase(database.url, cluster, join(draft, 'postgres')) : 0
  const second = await copyFrom(content, folder, first.list)
  const list: ContentList = new Map([...first.list, ...second.list])
  await copyRest(config, draft)
  const bytes = [...list.values()].reduce((sum, { size }) => sum + size, 0)
  const facts: Manifest = {
    format: 1,
    created_at: now.toISOString(),
    postgres: isOurs ? MAJOR : null,
    blobs: list.size,
    bytes,
  }
  await complete(folder, name, facts, list)
  const damaged = await listDamaged(database.url, list)
  return { ...facts, path: join(folder, name), database_bytes, new_bytes: first.bytes + second.bytes, damaged }
}

/** Content in a bucket is not copied: the store keeps versions and copies of its own. */
const copyFrom = async (place: BlobPlace, folder: string, known: ContentList) =>
  'folder' in place ? copyContent(place.folder, blobsIn(folder), known) : { list: new Map() as ContentList, bytes: 0 }

/** Parts of unfinished uploads, and what the first start made. */
async function copyRest(config: Config, draft: string): Promise<void> {
  const { dataDir } = config
  const place = contentPlace(config)
  if ('folder' in place) {
    await copyFolder(join(place.folder, 'parts'), join(draft, 'parts')).catch(ignoreAbsence)
    await copyFile(join(place.folder, 'storage-id'), join(draft, 'storage-id')).catch(ignoreAbsence)
  }
  for (const name of ['credentials.json', 'demo.json']) {
    await copyFile(join(dataDir, name), join(draft, name)).catch(ignoreAbsence)
  }
}

function ignoreAbsence(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
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
