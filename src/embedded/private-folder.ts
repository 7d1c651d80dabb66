import { chmod, lstat, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const OTHERS = 0o077

/** Too large to walk at each start, and closed by the folder itself: content, the database's files and the cache. */
const LARGE = new Set(['blobs', 'postgres', 'cache'])

/**
 * Makes the data folder and removes the permissions of other users from its content. The group keeps search permission
 * on the folder, by which the account that runs PostgreSQL reaches its files.
 */
export async function makePrivate(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const { mode } = await lstat(dataDir)
  await chmod(dataDir, mode & (0o700 | 0o010))
  for (const entry of await readdir(dataDir, { withFileTypes: true })) {
    // The account of PostgreSQL must be able to run the copy of its binaries.
    if (!entry.name.startsWith('postgres-')) await tighten(join(dataDir, entry.name), LARGE.has(entry.name))
  }
}

async function tighten(path: string, alone: boolean): Promise<void> {
  const { mode, isSymbolicLink, isDirectory } = await lstat(path).then((found) => ({
    mode: found.mode,
    isSymbolicLink: found.isSymbolicLink(),
    isDirectory: found.isDirectory(),
  }))
  if (isSymbolicLink) return
  if ((mode & OTHERS) !== 0) await chmod(path, mode & 0o700)
  if (!isDirectory || alone) return
  for (const name of await readdir(path)) await tighten(join(path, name), false)
}

/** Paths at the top of the data folder that other users could read, and the folder itself if they could list it. */
export async function listOpenToOthers(dataDir: string): Promise<string[]> {
  const names = (await readdir(dataDir)).filter((name) => !name.startsWith('postgres-'))
  const open: string[] = []
  if (((await lstat(dataDir)).mode & 0o067) !== 0) open.push(dataDir)
  for (const path of names.map((name) => join(dataDir, name))) {
    const found = await lstat(path)
    if (!found.isSymbolicLink() && (found.mode & OTHERS) !== 0) open.push(path)
  }
  return open
}
