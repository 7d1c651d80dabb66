import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startStack } from '../../../e2e/stack.ts'
import { readBelow } from './processes.ts'

// `npm run bench:idle` starts Strongroom with the demo, waits until its documents are done, and prints what an
// installation costs that has nothing to do: CPU over a minute, and memory, shared pages divided among their users.
// The second start counts: the first one compiles, and keeps the compiler.

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
  const memory = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  const name = /src\/[\w/]+\.ts|postgres: \w+: [\w ]+|postgres/.exec(command)?.[0].trim() ?? command.slice(0, 40)
  return { name, cpuMs: own + ended, memoryMib: Number(memory) / 1024 }
}

/** Returns the costs of all processes below this one; a process that ends meanwhile is left out. */
function costs(): Map<number, Cost> {
  const found = new Map<number, Cost>()
  for (const pid of readBelow().keys()) {
    try {
      found.set(pid, costOf(pid))
    } catch {
      continue
    }
  }
  return found
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
  const stack = await startStack()
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
