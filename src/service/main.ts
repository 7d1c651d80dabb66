import { flushCompileCache } from 'node:module'
import { freezeIntrinsics } from '../wire/freeze-intrinsics.ts'
import { logDeath } from '../wire/log.ts'
import { ALONE, joinSiblings, tellSupervisor } from '../wire/siblings.ts'
import { obeySupervisor } from '../wire/supervised.ts'
import { logVitals } from '../wire/vitals.ts'
import { type RunningService, startService } from './app.ts'
import { readConfig } from './base/config.ts'

/** Time for work under way to end: when asked to stop, and when the next start waits for the port. */
const STOP_MS = 5000
const ORPHANED_MS = 1000

let service: RunningService | undefined
let closing = false
const stop = (patienceMs: number) => {
  if (closing) return
  closing = true
  // Connections that do not end by themselves must not delay the stop.
  setTimeout(() => process.exit(0), patienceMs).unref()
  void Promise.resolve(service?.close()).then(() => process.exit(0))
}

try {
  // Called before the start: migrations may take long, and a supervisor ends a process without a sign of life.
  obeySupervisor(() => stop(ORPHANED_MS))
  freezeIntrinsics()
  process.umask(0o077)
  const config = readConfig()
  const siblings = config.slot === undefined ? ALONE : joinSiblings(config.slot)
  service = await startService(config, () => new Date(), siblings)
  service.services.marker.anticipate()
  logDeath(service.services.log)
  logVitals(service.services.log, config.vitalsSeconds, service.vitals)
  console.log(`service: ${service.url}`)
  tellSupervisor({ ready: true })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(STOP_MS))
  // A killed process would not write the cache, and the next start would take twice as long.
  flushCompileCache()
} catch (error) {
  console.error(`service: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
