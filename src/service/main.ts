import { flushCompileCache } from 'node:module'
import { freezeIntrinsics } from '../wire/freeze-intrinsics.ts'
import { logDeath } from '../wire/log.ts'
import { ALONE, joinSiblings, tellSupervisor } from '../wire/siblings.ts'
import { obeySupervisor } from '../wire/supervised.ts'
import { createStop, ORPHANED, stopOnSignals } from '../wire/stop.ts'
import { logVitals } from '../wire/vitals.ts'
import { type RunningService, startService } from './app.ts'
import { readConfig } from './base/config.ts'

let service: RunningService | undefined
const stop = createStop({ drain: () => service?.drain(), close: () => service?.close() })

try {
  // Called before the start: migrations may take long, and a supervisor ends a process without a sign of life.
  obeySupervisor(() => stop(ORPHANED))
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
  stopOnSignals(() => stop(config.stop))
  // A killed process would not write the cache, and the next start would take twice as long.
  flushCompileCache()
} catch (error) {
  console.error(`service: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
