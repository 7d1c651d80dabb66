import { flushCompileCache } from 'node:module'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
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
/** Bytes. A collection costs some 50 ms. */
const WORTH_IT = 8 * 1024 * 1024

/**
 * Collects whenever this process had nothing to do between two looks and has taken memory since.
 * @param lookEvery milliseconds
 */
export function freeWhenIdle(lookEvery = LOOK_EVERY): void {
  let before = process.cpuUsage()
  let kept = 0
  const look = () => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    const taken = getHeapStatistics().total_heap_size
    if ((user + system) / 1000 > lookEvery * IDLE_SHARE || taken < kept + WORTH_IT) return
    freeMemory()
    kept = getHeapStatistics().total_heap_size
  }
  setInterval(look, lookEvery).unref()
}
