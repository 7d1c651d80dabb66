import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { opendir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
const NAME = /^([0-9a-f]{8})-(\d+)-(\d+)-[0-9a-f]{32}$/

/** A name for a temporary file that says which process writes it; by id and start, as ids are used again. */
export const temporaryName = (): string =>
  [HOST, process.pid, startOf(process.pid) ?? 0, randomBytes(16).toString('hex')].join('-')

/** Removes what processes of this machine left that are no more. Those of others, on shared storage, are for the sweep. */
export async function removeOrphans(folder: string): Promise<void> {
  for await (const { name } of await opendir(folder)) {
    const [, host, pid, start] = NAME.exec(name) ?? []
    const isOrphan = host === HOST && start !== '0' && startOf(Number(pid)) !== start
    if (isOrphan) await rm(join(folder, name), { force: true })
  }
}

/** When a process started; undefined where there is none, or where the system does not say. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may hold anything; the start time is the 20th field behind it, the state the first.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? undefined : fields[18]
  } catch {
    return undefined
  }
}
