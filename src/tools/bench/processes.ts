import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds of CPU of the processes below this one, with their ended children. */
export interface Cpu {
  node: number
  postgres: number
}

const MS_PER_TICK = 10
/** Programs of a cluster that work alike whether there are requests or not. */
const WATCHERS = new Set(['etcd', 'patroni'])

interface Process {
  parent: number
  name: string
  cpu: number
}

/** Reads `/proc`: Linux only. @param servers as for `readBelow` */
export function readCpu(servers?: readonly number[]): Cpu {
  const total: Cpu = { node: 0, postgres: 0 }
  for (const { name, cpu } of readBelow(servers).values())
    if (!WATCHERS.has(name)) total[name === 'postgres' ? 'postgres' : 'node'] += cpu
  return total
}

/**
 * Reads the processes below this one, by their ids.
 * @param servers process ids of servers that have left their parents, which are read too, with the processes below them
 */
export function readBelow(servers: readonly number[] = []): Map<number, Process> {
  const processes = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const found = readProcess(name)
        return found ? [[Number(name), found] as const] : []
      }),
  )
  const isBelow = (pid: number): boolean => {
    const parent = processes.get(pid)?.parent ?? 0
    return parent === process.pid || servers.includes(pid) || (parent > 1 && isBelow(parent))
  }
  return new Map([...processes].filter(([pid]) => isBelow(pid)))
}

/** @returns undefined for a process that has just ended */
function readProcess(pid: string): Process | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0)
    return { parent: Number(fields[1]), name, cpu: ticks * MS_PER_TICK }
  } catch {
    return undefined
  }
}
