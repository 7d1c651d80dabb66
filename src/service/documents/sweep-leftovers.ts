import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isAbandoned } from './work-folder.ts'

/**
 * Removes what processes that were killed left behind in the folder of work folders: of this host at once, of others when
 * it is old. @returns how many
 */
export async function sweepLeftovers(folder: string, olderThan: Date): Promise<number> {
  // Nothing was ever made.
  const names = await readdir(folder).catch(() => [])
  let removed = 0
  for (const name of names) {
    const path = join(folder, name)
    const facts = await stat(path).catch(() => undefined)
    if (!facts || (!isAbandoned(name) && facts.mtime >= olderThan)) continue
    await rm(path, { recursive: true, force: true })
    removed++
  }
  return removed
}
