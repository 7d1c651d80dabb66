import { createHash } from 'node:crypto'
import { chown, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Account, makePrivate } from './account.ts'
import { PORT } from './settings.ts'

/** Bytes. A socket path may have 107 on Linux, 103 on macOS. */
const LONGEST = 103

export const socketName = `.s.PGSQL.${PORT}`

/** Makes a private folder for the socket: in the data folder, or in the temporary folder where the path is too long. */
export async function socketFolder(dataDir: string, account: Account): Promise<string> {
  const inside = join(dataDir, 'socket')
  if (fits(inside)) {
    await makePrivate(inside, account)
    return inside
  }
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  // Another user may have planted a folder of this name; the next name is used then.
  for (let attempt = 0; attempt < 20; attempt++) {
    const folder = join(tmpdir(), `strongroom-${hash}-${attempt}`)
    if (fits(folder) && ((await isNew(folder, account)) || (await isOurs(folder, account)))) return folder
  }
  throw new Error(`The path of ${dataDir} is too long for a socket, and ${tmpdir()} has no room for it either.`)
}

const fits = (folder: string): boolean => Buffer.byteLength(join(folder, socketName)) <= LONGEST

async function isNew(folder: string, account: Account): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  if (account.foreign) await chown(folder, account.uid, account.gid)
  return true
}

async function isOurs(folder: string, account: Account): Promise<boolean> {
  const found = await lstat(folder)
  return found.isDirectory() && found.uid === account.uid && (found.mode & 0o077) === 0
}
