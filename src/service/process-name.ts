import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Names this process in file names and leases: the process table that it is in, its id, and when it started. Containers
 * with one host name have process tables of their own, and ids are used again.
 */
export const processName = (): string => [TABLE, process.pid, startOf(process.pid) ?? 0].join('-')

const NAME = /^([0-9a-f]{8})-(\d{1,10})-(\d+)$/

/** Whether the process of that name is certain to have ended. That of another process table never is. */
export function hasEnded(name: string): boolean {
  const [, table, pid, start] = NAME.exec(name) ?? []
  return table === TABLE && start !== '0' && startOf(Number(pid)) !== start
}

const TABLE = createHash('sha256').update(processTable()).digest('hex').slice(0, 8)

function processTable(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8') + readlinkSync('/proc/self/ns/pid')
  } catch {
    return hostname()
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
