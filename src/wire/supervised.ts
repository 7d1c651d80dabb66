import { performance } from 'node:perf_hooks'
import { tellSupervisor } from './siblings.ts'

const BEAT_MS = 2000

/**
 * Reports to the supervisor that the event loop is running and how busy it is. Stops when the supervisor is gone, so that
 * the process does not keep its port.
 */
export function obeySupervisor(stop: () => void): void {
  if (!process.send) return
  process.on('disconnect', stop)
  let used = performance.eventLoopUtilization()
  const beat = () => {
    const now = performance.eventLoopUtilization()
    tellSupervisor({ busy: performance.eventLoopUtilization(now, used).utilization })
    used = now
  }
  beat()
  setInterval(beat, BEAT_MS).unref()
}
