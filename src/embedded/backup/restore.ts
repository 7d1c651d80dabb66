import { mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobPlace } from '../../service/base/blob-place.ts'
import { placeOf } from '../../service/blobs/blob-path.ts'
import { syncFolder } from '../../service/blobs/move-durably.ts'
import { lockDataDir } from '../lock.ts'
import { accountFor } from '../postgres/account.ts'
import { MAJOR } from '../postgres/binaries.ts'
import { blobsIn, listBackups, type Manifest, readContent, readManifest } from './backup-folder.ts'
import { copyFile, copyFolder, giveFolder, inLanes } from './copy-files.ts'

export interface Restored extends Manifest {
  path: string
  /** Blobs that the backup lacks, or whose bytes it has not kept. */
  lost: string[]
}

const AT_ONCE = 4

/**
 * Restores a backup into a data folder that has no installation. The database gets its name last, so that an
 * interrupted restore leaves none.
 * @param from the folder of one backup, or one with several, of which the newest is restored
 * @throws Error in one sentence
 */
export async function restore(from: string, dataDir: string, blobPlace?: BlobPlace): Promise<Restored> {
  const { backup, folder } = await findBackup(from)
  const facts = await readManifest(backup)
  if (facts.postgres !== null && facts.postgres !== MAJOR) {
    throw new Error(`The backup is of PostgreSQL ${facts.postgres}; this release has PostgreSQL ${MAJOR}.`)
  }
  if (facts.blobs > 0 && blobPlace) {
    throw new Error('Restore without BLOB_URL, because the backup has content. Then move it: npm run blobs:migrate.')
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const lock = await lockDataDir(await realpath(dataDir))
  try {
    await claim(dataDir)
    const lost = blobPlace ? [] : await restoreContent(backup, folder, join(dataDir, 'blobs'))
    for (const name of ['credentials.json', 'demo.json']) {
      await copyFile(join(backup, name), join(dataDir, name)).catch(ignoreAbsence)
    }
    if (facts.postgres !== null) await restoreDatabase(backup, dataDir)
    await rm(join(dataDir, MARK))
    await syncFolder(dataDir)
    return { ...facts, path: backup, lost }
  } finally {
    lock.release()
  }
}

async function findBackup(from: string): Promise<{ backup: string; folder: string }> {
  const newest = (await listBackups(from)).at(-1)
  if (newest) return { backup: join(from, newest), folder: from }
  await readManifest(from)
  return { backup: from, folder: join(await realpath(from), '..') }
}

const OURS = ['postgres', 'postgres.part', 'blobs', 'credentials.json', 'demo.json']
/** Marks a folder whose restore was interrupted: everything of OURS in it comes from a backup. */
const MARK = 'restoring'

async function claim(dataDir: string): Promise<void> {
  const names = await readdir(dataDir)
  const present = names.filter((name) => OURS.includes(name))
  if (!names.includes(MARK) && present.length > 0) {
    throw new Error(`${dataDir} has an installation already: ${present.join(', ')}.`)
  }
  await writeFile(join(dataDir, MARK), '', { mode: 0o600, flush: true })
  for (const name of present) await rm(join(dataDir, name), { recursive: true })
}

async function restoreContent(backup: string, folder: string, to: string): Promise<string[]> {
  await mkdir(to, { mode: 0o700 })
  const lost: string[] = []
  await inLanes((await readContent(backup)).entries(), AT_ONCE, async ([id, { sha256 }]) => {
    const copied = await copyFile(join(blobsIn(folder), placeOf(id)), join(to, placeOf(id))).catch(ignoreAbsence)
    if (copied?.sha256 !== sha256) lost.push(id)
  })
  await copyFolder(join(backup, 'parts'), join(to, 'parts')).catch(ignoreAbsence)
  await copyFile(join(backup, 'storage-id'), join(to, 'storage-id')).catch(ignoreAbsence)
  return lost
}

async function restoreDatabase(backup: string, dataDir: string): Promise<void> {
  const draft = join(dataDir, 'postgres.part')
  await copyFolder(join(backup, 'postgres'), draft)
  const account = await accountFor(join(dataDir, 'postgres'))
  if (account.foreign) await giveFolder(draft, account)
  await rename(draft, join(dataDir, 'postgres'))
}

function ignoreAbsence(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
