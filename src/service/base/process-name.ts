import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Names this process in file names and leases: by its process table, its id and its start time. Containers with the
 * same host name have separate process tables, and ids are reused.
 */
export const processName = (): string => [TABLE, process.pid, startOf(process.pid) ?? 0].join('-')

const NAME = /^([0-9a-f]{8})-(\d{1,10})-(\d+)$/

/** Whether the process of that name has certainly ended. Never true for another process table. */
export function hasEnded(name: string): boolean {
  const [, table, pid, start] = NAME.exec(name) ?? []
  return table === TABLE && start !== '0' && startOf(Number(pid)) !== start
}

const TABLE = processTable('self')

/** Names the process table that a process is in; the process itself must be visible here. */
export function processTable(pid: number | 'self'): string {
  const id = () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8') + readlinkSync(`/proc/${pid}/ns/pid`)
  return createHash('sha256').update(orHostName(id)).digest('hex').slice(0, 8)
}

function orHostName(read: () => string): string {
  try {
    return read()
  } catch {
    return hostname()
  }
}

/** The start time of a process; undefined if the process is gone or the system does not tell. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may contain anything. Behind it, the state is the first field, the start time the 20th.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? undefined : fields[18]
  } catch {
    return undefined
  }
}
