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
  let [loop, cpu, at] = [performance.eventLoopUtilization(), process.cpuUsage(), performance.now()]
  const beat = () => {
    const { user, system } = process.cpuUsage(cpu)
    const { utilization } = performance.eventLoopUtilization(loop)
    // On a machine that others keep busy, the loop is late without working.
    tellSupervisor({ busy: Math.min(utilization, (user + system) / 1000 / (performance.now() - at)) })
    ;[loop, cpu, at] = [performance.eventLoopUtilization(), process.cpuUsage(), performance.now()]
  }
  beat()
  setInterval(beat, BEAT_MS).unref()
}
