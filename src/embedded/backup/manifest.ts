import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { placeOf } from '../../service/blobs/blob-path.ts'
import type { BackupStore } from './backup-store.ts'
import { type ContentList, readContentList, writeContentList } from './content-list.ts'

// Backups share `blobs`. Each has a folder named by its time: postgres, parts, credentials.json, storage-id, content.txt
// (which blobs it has) and backup.json.

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

export const nameAt = (date: Date): string => `${date.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
export const pathIn = (store: BackupStore, name: string): string => `${store.name.replace(/\/$/, '')}/${name}`
export const blobPath = (blobId: string): string => join('blobs', placeOf(blobId))

export async function complete(store: BackupStore, name: string, facts: Manifest, list: ContentList): Promise<void> {
  await inScratch(async (folder) => {
    await writeContentList(join(folder, 'content.txt'), list)
    await store.putFile(join(folder, 'content.txt'), `${store.draftOf(name)}/content.txt`)
  })
  await store.complete(name, `${JSON.stringify(facts, null, 2)}\n`)
}

/** @throws Error in one sentence if this is no complete backup */
export function readManifest(store: BackupStore, name: string): Promise<Manifest> {
  return inScratch(async (folder) => {
    const file = join(folder, 'backup.json')
    if (!(await store.getFile(`${name}/backup.json`, file))) throw new Error(`${pathIn(store, name)} is not a backup.`)
    try {
      return manifest.parse(JSON.parse(await readFile(file, 'utf8')))
    } catch {
      throw new Error(`${pathIn(store, name)} was made by a release that this one does not understand, or is damaged.`)
    }
  })
}

export function readContent(store: BackupStore, name: string): Promise<ContentList> {
  return inScratch(async (folder) => {
    const file = join(folder, 'content.txt')
    if (!(await store.getFile(`${name}/content.txt`, file))) throw new Error(`${name} lacks content.txt.`)
    return readContentList(file)
  })
}

async function inScratch<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'strongroom-backup-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Removes leftovers of interrupted backups, all but the newest backups, and the content that no kept one has. */
export async function prune(store: BackupStore, keep: number): Promise<void> {
  await store.removeUnfinished()
  const backups = await store.listBackups()
  const removed = backups.slice(0, Math.max(0, backups.length - keep))
  if (removed.length === 0) return
  const kept = new Set<string>()
  for (const name of backups.slice(removed.length)) {
    for (const id of (await readContent(store, name)).keys()) kept.add(id)
  }
  for (const name of removed) await store.removeBackup(name)
  for await (const { blob_id } of store.listBlobs()) {
    if (!kept.has(blob_id)) await store.remove(blobPath(blob_id))
  }
}
