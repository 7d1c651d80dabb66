import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasEnded, processName } from '../../base/process-name.ts'

/** Ends the name of the owning process, by which the work folders of a killed process can be removed at once. */
const SEPARATOR = '~'

/** Provides `use` with its own work folder within `folder`, and removes it afterwards. */
export async function withWorkFolder<Result>(folder: string, use: (own: string) => Promise<Result>): Promise<Result> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const own = await mkdtemp(join(folder, processName() + SEPARATOR))
  try {
    return await use(own)
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

/** Whether a work folder belongs to a process that has certainly ended. */
export const isAbandoned = (name: string): boolean => hasEnded(name.split(SEPARATOR)[0] ?? '')
