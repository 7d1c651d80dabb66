import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startStack } from '../../../e2e/stack.ts'
import { readBelow } from './processes.ts'

// `npm run bench:idle` starts Strongroom with the demo, waits until its documents are done, and prints what an
// installation costs that has nothing to do: CPU over a minute, and memory, shared pages divided among those of its
// processes that use them. What else runs on the machine does not count as a user.

const SETTLE_MS = 90_000
const MEASURED_MS = 60_000
const TICKS_PER_SECOND = 100

interface Cost {
  name: string
  cpuMs: number
  memoryMib: number
}

function costOf(pid: number): Cost {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // Time of ended children, such as the connections of PostgreSQL, counts for their parent.
  const ended = (Number(fields[13]) + Number(fields[14])) * (1000 / TICKS_PER_SECOND)
  const own = readdirSync(`/proc/${pid}/task`).reduce(
    (sum, task) => sum + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    0,
  )
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  // The program comes after the flags of Node, one of which names a module of ours.
  const name =
    command
      .match(/src\/[\w/]+\.ts|postgres: \w+: [\w ]+|postgres/g)
      ?.at(-1)
      ?.trim() ?? command.slice(0, 40)
  return { name, cpuMs: own + ended, memoryMib: 0 }
}

/** Returns the costs of all processes below this one; a process that ends meanwhile is left out. */
function costs(): Map<number, Cost> {
  const found = new Map<number, Cost>()
  const mapped: Mapping[] = []
  for (const pid of readBelow().keys()) {
    try {
      const cost = costOf(pid)
      mapped.push(...mappingsOf(pid))
      found.set(pid, cost)
    } catch {
      continue
    }
  }
  for (const [pid, kib] of shares(mapped)) {
    const cost = found.get(pid)
    if (cost) cost.memoryMib += kib / 1024
  }
  return found
}

interface Mapping {
  pid: number
  /** The file and the place in it, the same in each process; undefined for memory without a file. */
  file: string | undefined
  own: number
  shared: number
  divided: number
}

function mappingsOf(pid: number): Mapping[] {
  const blocks = readFileSync(`/proc/${pid}/smaps`, 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)
  return blocks.map((block) => {
    const [, offset, device, inode] = /^\S+ \S+ (\S+) (\S+) (\d+)/.exec(block) ?? []
    const kib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(block)?.[1] ?? 0)
    const own = kib('Private_Clean') + kib('Private_Dirty')
    const file = inode === '0' || device === '00:01' ? undefined : `${device} ${inode} ${offset}`
    return { pid, file, own, shared: kib('Rss') - own, divided: kib('Pss') }
  })
}

/** The memory of each process. Of a file's shared pages, the most that one of our processes has counts once for all. */
function* shares(mapped: readonly Mapping[]): Iterable<[pid: number, kib: number]> {
  for (const { pid, file, own, divided } of mapped) yield [pid, file === undefined ? divided : own]
  const files = Map.groupBy(
    mapped.filter(({ file, shared }) => file !== undefined && shared > 0),
    ({ file }) => file,
  )
  for (const users of files.values()) {
    const most = Math.max(...users.map(({ shared }) => shared))
    for (const { pid } of users) yield [pid, most / users.length]
  }
}

async function untilQuiet(): Promise<void> {
  while (await isBusy()) await sleep(1000)
}

/** Renderers end when there is nothing to draw. */
async function isBusy(): Promise<boolean> {
  const before = sum(costs(), 'cpuMs')
  await sleep(10_000)
  const after = costs()
  return sum(after, 'cpuMs') - before > 500 || [...after.values()].some(({ name }) => name.includes('/render/'))
}

const sum = (all: ReadonlyMap<number, Cost>, field: 'cpuMs' | 'memoryMib') =>
  [...all.values()].reduce((total, cost) => total + cost[field], 0)

for (const run of ['first start', 'second start']) {
  const stack = await startStack({ env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] } })
  await untilQuiet()
  await sleep(SETTLE_MS)
  const before = costs()
  await sleep(MEASURED_MS)
  const after = costs()
  console.log(run)
  let total = 0
  for (const [pid, { name, cpuMs, memoryMib }] of after) {
    const used = cpuMs - (before.get(pid)?.cpuMs ?? 0)
    total += used
    console.log(`  ${name.padEnd(40)} ${used.toFixed(0).padStart(6)} ms ${memoryMib.toFixed(0).padStart(6)} MiB`)
  }
  const share = ((100 * total) / MEASURED_MS).toFixed(2)
  console.log(`  ${share} % of a core, ${sum(after, 'memoryMib').toFixed(0)} MiB`)
  await stack.stop()
}
process.exit(0)
