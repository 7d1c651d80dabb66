import { flushCompileCache } from 'node:module'
import { freezeIntrinsics } from '../wire/freeze-intrinsics.ts'
import { startProxy } from './app.ts'
import { logDeath } from '../wire/log.ts'
import { obeySupervisor } from '../wire/supervised.ts'
import { logVitals } from '../wire/vitals.ts'
import { readConfig } from './config.ts'

/**
 * How long requests in progress may take to end: after a signal, and when the parent is gone and the next start waits
 * for the port.
 */
const STOP_MS = 5000
const ORPHANED_MS = 1000

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
  let closing = false
  const stop = (patienceMs: number) => {
    if (closing) return
    closing = true
    // Connections that do not end by themselves must not delay the stop.
    setTimeout(() => process.exit(0), patienceMs).unref()
    void proxy.close().then(() => process.exit(0))
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(STOP_MS))
  obeySupervisor(() => stop(ORPHANED_MS))
  // A killed process would not write the compile cache, and the next start would take twice as long.
  flushCompileCache()
} catch (error) {
  console.error(`proxy: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
