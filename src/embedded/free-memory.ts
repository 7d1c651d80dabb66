import { flushCompileCache } from 'node:module'
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: ((options: object) => void) | undefined

/** Collects everything now. V8 would keep most of it in a process that has nearly nothing to do. */
export function freeMemory(): void {
  collect ??= collector()
  collect({ type: 'major', flavor: 'last-resort' })
}

function collector(): (options: object) => void {
  // Compiled code is kept for equal settings of V8 only, so it is written before they change.
  flushCompileCache()
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as (options: object) => void
}

const LOOK_EVERY = 30_000
/** Of a core. */
const IDLE_SHARE = 0.02
const MIB = 1024 * 1024
const WORTH_IT = 8 * MIB
/** A collection takes some 3 ms for each MiB that has been in use for long, and nothing else happens meanwhile. */
const MOST_IN_USE = 64 * MIB

const taken = () => getHeapStatistics().total_heap_size

const inUseForLong = () =>
  getHeapSpaceStatistics()
    .filter(({ space_name }) => !space_name.startsWith('new_'))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0)

/**
 * Collects whenever this process had nothing to do between two looks and has taken memory since, unless much is in use.
 * @param lookEvery milliseconds
 */
export function freeWhenIdle(lookEvery = LOOK_EVERY): void {
  let before = process.cpuUsage()
  let kept = 0
  const look = () => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    const isIdle = (user + system) / 1000 < lookEvery * IDLE_SHARE
    if (!isIdle || taken() < kept + WORTH_IT || inUseForLong() > MOST_IN_USE) return
    freeMemory()
    kept = taken()
  }
  setInterval(look, lookEvery).unref()
}
