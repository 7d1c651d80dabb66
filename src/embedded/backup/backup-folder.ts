import { open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { placeOf } from '../../service/blobs/blob-path.ts'
import { syncFolder } from '../../service/blobs/move-durably.ts'
import { viewFolder } from '../../service/blobs/view-storage.ts'
import { type ContentList, readContentList, writeContentList } from './content-list.ts'

// A backup folder has `blobs`, which its backups share, and one folder for each backup, named by its time:
// postgres, parts, credentials.json, storage-id, content.txt (which blobs it has) and backup.json.

const manifest = z.object({
  format: z.literal(1),
  created_at: z.iso.datetime(),
  /** Major version of the copied cluster; null if the database is backed up by its own tools. */
  postgres: z.string().nullable(),
  blobs: z.int(),
  /** Bytes of the blobs. */
  bytes: z.int(),
})

export type Manifest = z.output<typeof manifest>

const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/
const UNFINISHED = '.unfinished-'

export const nameAt = (date: Date): string => `${date.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
export const draftOf = (folder: string, name: string): string => join(folder, UNFINISHED + name)
export const blobsIn = (folder: string): string => join(folder, 'blobs')

export async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => NAME.test(name)).toSorted()
}

/** Completes a backup. A folder without the right name is none. */
export async function complete(folder: string, name: string, facts: Manifest, list: ContentList): Promise<void> {
  const draft = draftOf(folder, name)
  await writeContentList(join(draft, 'content.txt'), list)
  const handle = await open(join(draft, 'backup.json'), 'wx', 0o600)
  await handle.writeFile(`${JSON.stringify(facts, null, 2)}\n`)
  await handle.sync()
  await handle.close()
  await syncFolder(draft)
  await rename(draft, join(folder, name))
  await syncFolder(folder)
}

/** @throws Error in one sentence if this is no complete backup */
export async function readManifest(backup: string): Promise<Manifest> {
  const text = await readFile(join(backup, 'backup.json'), 'utf8').catch(() => {
    throw new Error(`${backup} is not a backup.`)
  })
  try {
    return manifest.parse(JSON.parse(text))
  } catch {
    throw new Error(`${backup} was made by a release that this one does not understand, or is damaged.`)
  }
}

export const readContent = (backup: string): Promise<ContentList> => readContentList(join(backup, 'content.txt'))

/** Removes leftovers of interrupted backups, all but the newest backups, and the content that no kept one has. */
export async function prune(folder: string, keep: number): Promise<number> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(UNFINISHED)) await rm(join(folder, name), { recursive: true })
  }
  const backups = await listBackups(folder)
  const removed = backups.slice(0, Math.max(0, backups.length - keep))
  if (removed.length === 0) return 0
  const kept = new Set<string>()
  for (const name of backups.slice(removed.length)) {
    for (const id of (await readContent(join(folder, name))).keys()) kept.add(id)
  }
  for (const name of removed) await rm(join(folder, name), { recursive: true })
  for await (const { blob_id } of viewFolder(blobsIn(folder)).listOlderThan(new Date(8.64e15))) {
    if (!kept.has(blob_id)) await rm(join(blobsIn(folder), placeOf(blob_id)))
  }
  return removed.length
}
