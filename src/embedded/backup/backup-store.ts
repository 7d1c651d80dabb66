import { type Lock, lockDataDir } from '../lock.ts'
import type { CopiedBlob } from './content-list.ts'

/** Where backups are: a folder or a bucket. Paths are below it. */
export interface BackupStore {
  name: string
  /** @throws Error while another backup is made, or if an installation is there */
  lock(): Promise<Lock>
  /** Names of complete backups, the oldest first. */
  listBackups(): Promise<string[]>
  /** The path of a backup that is being made. */
  draftOf(name: string): string
  complete(name: string, manifest: string): Promise<void>
  removeUnfinished(): Promise<void>
  removeBackup(name: string): Promise<void>
  putFile(from: string, to: string): Promise<CopiedBlob>
  putStream(content: AsyncIterable<Buffer>, to: string): Promise<CopiedBlob>
  /** Copies a folder without the files that are removed during the copy. @returns bytes copied */
  putFolder(from: string, to: string, takes?: (path: string) => boolean): Promise<number>
  /** @returns undefined if there is no such file */
  getFile(from: string, to: string): Promise<CopiedBlob | undefined>
  getStream(from: string): Promise<AsyncIterable<Buffer> | undefined>
  /** Makes no folder if there is none. */
  getFolder(from: string, to: string): Promise<void>
  sizeOf(path: string): Promise<number | undefined>
  listBlobs(): AsyncIterable<{ blob_id: string; size: number }>
  remove(path: string): Promise<void>
}

export const BACKUP_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/

export const lockBackups = (folder: string, to: string): Promise<Lock> =>
  lockDataDir(folder, (pid) => `Another backup to ${to} is being made (process ${pid}).`)
