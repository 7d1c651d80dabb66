import { randomBytes } from 'node:crypto'
import { opendir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasEnded, processName } from '../base/process-name.ts'

const NAME = /^(.*)-[0-9a-f]{32}$/

/** A name for a temporary file that contains the name of the writing process. */
export const temporaryName = (): string => `${processName()}-${randomBytes(16).toString('hex')}`

/** Removes files of ended processes of this machine. The sweep removes files of other machines, on shared storage. */
export async function removeOrphans(folder: string): Promise<void> {
  for await (const { name } of await opendir(folder)) {
    const [, owner] = NAME.exec(name) ?? []
    if (owner !== undefined && hasEnded(owner)) await rm(join(folder, name), { force: true })
  }
}
