import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../service/blobs/move-durably.ts'
import { END_OF_TIME, viewFolder } from '../../service/blobs/view-storage.ts'
import { BACKUP_NAME, type BackupStore, lockBackups } from './backup-store.ts'
import { bytesOf, copyFile, copyFolder, undefinedIfGone, writeDurably } from './copy-files.ts'

const UNFINISHED = '.unfinished-'
/** A copy that was interrupted may still write its last file. */
const GONE = { recursive: true, maxRetries: 10 } as const

export function openFolderStore(folder: string): BackupStore {
  const at = (path: string) => join(folder, path)
  const names = async () => (await readdir(folder).catch(undefinedIfGone)) ?? []
  return {
    name: folder,
    async lock() {
      await requireNoInstallation(folder)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return lockBackups(folder, folder)
    },
    listBackups: async () => (await names()).filter((name) => BACKUP_NAME.test(name)).toSorted(),
    draftOf: (name) => UNFINISHED + name,
    async complete(name, manifest) {
      const draft = at(UNFINISHED + name)
      const handle = await open(join(draft, 'backup.json'), 'wx', 0o600)
      await handle.writeFile(manifest)
      await handle.sync()
      await handle.close()
      await syncFolder(draft)
      await rename(draft, at(name))
      await syncFolder(folder)
    },
    async removeUnfinished() {
      for (const name of await names()) if (name.startsWith(UNFINISHED)) await rm(at(name), GONE)
    },
    removeBackup: (name) => rm(at(name), GONE),
    putFile: (from, to) => copyFile(from, at(to)),
    putStream: (content, to) => writeDurably(content, at(to)),
    putFolder: (from, to, takes) => copyFolder(from, at(to), takes),
    getFile: (from, to) => copyFile(at(from), to).catch(undefinedIfGone),
    async getStream(from) {
      const found = await stat(at(from)).catch(undefinedIfGone)
      return found && bytesOf(at(from))
    },
    async getFolder(from, to) {
      if (await stat(at(from)).catch(undefinedIfGone)) await copyFolder(at(from), to)
    },
    sizeOf: async (path) => (await stat(at(path)).catch(undefinedIfGone))?.size,
    listBlobs: () => viewFolder(at('blobs')).listOlderThan(END_OF_TIME),
    remove: (path) => rm(at(path)),
  }
}

const INSTALLATION = ['blobs/storage-id', 'storage-id', 'postgres/PG_VERSION', 'credentials.json']

async function requireNoInstallation(folder: string): Promise<void> {
  for (const name of INSTALLATION) {
    if (!(await stat(join(folder, name)).catch(undefinedIfGone))) continue
    throw new Error(`${folder} has ${name} of an installation. Name another folder for backups.`)
  }
}
