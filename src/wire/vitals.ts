import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Log } from './log.ts'

/** Logs the state of the process at intervals: memory, open handles, event loop delay. */
export function logVitals(log: Log, seconds: number, more: () => Record<string, number> = () => ({})): () => void {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const timer = setInterval(() => {
    const { rss, heapUsed, external } = process.memoryUsage()
    const late = { loop_p99_ms: Math.round(delay.percentile(99) / 1e6), loop_max_ms: Math.round(delay.max / 1e6) }
    const handles = process.getActiveResourcesInfo().length
    log.info({ rss, heap: heapUsed, external, handles, ...late, ...more() }, 'vitals')
    delay.reset()
  }, seconds * 1000).unref()
  return () => {
    clearInterval(timer)
    delay.disable()
  }
}
