import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isAbandoned } from '../convert/work-folder.ts'

/**
 * Removes the work folders that killed processes left behind: those of this host at once, those of other hosts when
 * they are old.
 * @returns the number of folders removed
 */
export async function sweepLeftovers(folder: string, olderThan: Date): Promise<number> {
  // The folder does not exist before the first work folder.
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
