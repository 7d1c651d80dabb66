import { mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type BlobPlace, contentPlace } from '../../service/base/blob-place.ts'
import { syncFolder } from '../../service/blobs/move-durably.ts'
import { lockDataDir } from '../lock.ts'
import { RESTORING } from '../postgres.ts'
import { accountFor } from '../postgres/account.ts'
import { MAJOR } from '../postgres/binaries.ts'
import { BACKUP_NAME, type BackupStore } from './backup-store.ts'
import { type ContentSink, openContentSink } from './content-sink.ts'
import { giveFolder, inLanes } from './copy-files.ts'
import { openBackupStore } from './open-backup-store.ts'
import { blobPath, type Manifest, pathIn, readContent, readManifest } from './manifest.ts'

export interface Restored extends Manifest {
  path: string
  /** Blobs that the backup lacks, or whose bytes it has not kept. */
  lost: string[]
}

const AT_ONCE = 4

interface Target {
  dataDir: string
  /** Where the content goes; undefined means into the data folder. */
  blobPlace?: BlobPlace | undefined
}

/**
 * Restores a backup into a data folder that has no installation. The database gets its name last, so that an
 * interrupted restore leaves none.
 * @param from where one backup is, or where several are, of which the newest is restored
 * @throws Error in one sentence
 */
export async function restore(from: BlobPlace, { dataDir, blobPlace }: Target): Promise<Restored> {
  const { store, name } = await findBackup(from, dataDir)
  const facts = await readManifest(store, name)
  if (facts.postgres !== null && facts.postgres !== MAJOR) {
    throw new Error(
      `The backup is of PostgreSQL ${facts.postgres}; this release has PostgreSQL ${MAJOR}. ` +
        'Restore it with the release that made it, and then run npm run upgrade with this one.',
    )
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const lock = await lockDataDir(await realpath(dataDir))
  try {
    await claim(dataDir)
    const sink = openContentSink(contentPlace({ dataDir, blobPlace }))
    const lost = await restoreContent(store, name, sink)
    for (const each of ['credentials.json', 'demo.json']) await store.getFile(`${name}/${each}`, join(dataDir, each))
    if (facts.postgres !== null) await getDatabase(store, name, dataDir)
    await sink.takeRest(store, name)
    if (facts.postgres !== null) await rename(join(dataDir, DRAFT), join(dataDir, 'postgres'))
    await rm(join(dataDir, RESTORING))
    await syncFolder(dataDir)
    return { ...facts, path: pathIn(store, name), lost }
  } finally {
    lock.release()
  }
}

async function findBackup(from: BlobPlace, dataDir: string): Promise<{ store: BackupStore; name: string }> {
  const path = 'folder' in from ? await realpath(from.folder).catch(() => from.folder) : from.prefix
  const last = basename(path)
  if (BACKUP_NAME.test(last)) {
    const above = path.slice(0, path.lastIndexOf(last))
    const place = 'folder' in from ? { folder: dirname(path) } : { ...from, prefix: above }
    return { store: await openBackupStore(place, dataDir), name: last }
  }
  const store = await openBackupStore(from, dataDir)
  const name = (await store.listBackups()).at(-1)
  if (name === undefined) throw new Error(`${store.name} is not a backup.`)
  return { store, name }
}

const DRAFT = 'postgres.part'
const OURS = ['postgres', DRAFT, 'blobs', 'credentials.json', 'demo.json']

async function claim(dataDir: string): Promise<void> {
  const names = await readdir(dataDir)
  const present = OURS.filter((name) => names.includes(name))
  if (!names.includes(RESTORING) && present.length > 0) {
    throw new Error(`${dataDir} has an installation already: ${present.join(', ')}.`)
  }
  await writeFile(join(dataDir, RESTORING), '', { mode: 0o600, flush: true })
  for (const name of present) await rm(join(dataDir, name), { recursive: true })
}

async function restoreContent(store: BackupStore, name: string, sink: ContentSink): Promise<string[]> {
  await sink.claim()
  const lost: string[] = []
  await inLanes((await readContent(store, name)).entries(), AT_ONCE, async ([id, { sha256 }]) => {
    if ((await sink.take(store, blobPath(id), id)) !== sha256) lost.push(id)
  })
  return lost
}

async function getDatabase(store: BackupStore, name: string, dataDir: string): Promise<void> {
  const draft = join(dataDir, DRAFT)
  await store.getFolder(`${name}/postgres`, draft)
  const account = await accountFor(join(dataDir, 'postgres'))
  if (account.foreign) await giveFolder(draft, account)
}
