import { flushCompileCache } from 'node:module'
import { freezeIntrinsics } from '../wire/freeze-intrinsics.ts'
import { startProxy } from './app.ts'
import { logDeath } from '../wire/log.ts'
import { obeySupervisor } from '../wire/supervised.ts'
import { createStop, ORPHANED, stopOnSignals } from '../wire/stop.ts'
import { logVitals } from '../wire/vitals.ts'
import { readConfig } from './config.ts'

try {
  freezeIntrinsics()
  process.umask(0o077)
  const config = readConfig()
  const proxy = await startProxy(config).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new Error(`Port ${config.port} is already in use. Set PORT to another one.`)
  })
  logDeath(proxy.log)
  logVitals(proxy.log, config.vitalsSeconds)
  if (config.log !== 'silent') console.log(`proxy: ${proxy.url}`)
  const stop = createStop(proxy)
  stopOnSignals(() => stop(config.stop))
  obeySupervisor(() => stop(ORPHANED))
  // A killed process would not write the compile cache, and the next start would take twice as long.
  flushCompileCache()
} catch (error) {
  console.error(`proxy: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
