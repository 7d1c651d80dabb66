import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Log } from './log.ts'

/** Milliseconds between two looks at the event loop. At rest they pause, because even these cost a thousandth of a core. */
const LOOK_MS = 100
const REST_LOOK_MS = 2000
const AT_REST = 0.02
/** A test that logs more often than this many seconds wants to see short delays too. */
const WATCHED_SECONDS = 10
const WATCHED_LOOK_MS = 10

/** Logs the state of the process at intervals: memory, open handles, event loop delay. */
export function logVitals(log: Log, seconds: number, more: () => Record<string, number> = () => ({})): () => void {
  const delay = monitorEventLoopDelay({ resolution: seconds <= WATCHED_SECONDS ? WATCHED_LOOK_MS : LOOK_MS })
  delay.enable()
  let used = performance.eventLoopUtilization()
  const rest = setInterval(() => {
    const now = performance.eventLoopUtilization()
    if (performance.eventLoopUtilization(now, used).utilization < AT_REST) delay.disable()
    else delay.enable()
    used = now
  }, REST_LOOK_MS).unref()
  const timer = setInterval(() => {
    const { rss, heapUsed, external } = process.memoryUsage()
    const late = { loop_p99_ms: Math.round(delay.percentile(99) / 1e6), loop_max_ms: Math.round(delay.max / 1e6) }
    const handles = process.getActiveResourcesInfo().length
    log.info({ rss, heap: heapUsed, external, handles, ...late, ...more() }, 'vitals')
    delay.reset()
  }, seconds * 1000).unref()
  return () => {
    clearInterval(timer)
    clearInterval(rest)
    delay.disable()
  }
}
