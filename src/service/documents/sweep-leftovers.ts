import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Removes what workers that died left behind in the folder for what is made on the way. @returns how many */
export async function sweepLeftovers(folder: string, olderThan: Date): Promise<number> {
  // Nothing was ever made.
  const names = await readdir(folder).catch(() => [])
  let removed = 0
  for (const name of names) {
    const path = join(folder, name)
    const facts = await stat(path).catch(() => undefined)
    if (!facts || facts.mtime >= olderThan) continue
    await rm(path, { recursive: true, force: true })
    removed++
  }
  return removed
}
