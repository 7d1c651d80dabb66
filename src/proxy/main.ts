import { freezeIntrinsics } from '../wire/freeze-intrinsics.ts'
import { startProxy } from './app.ts'
import { readConfig } from './config.ts'

try {
  freezeIntrinsics()
  const config = readConfig()
  const proxy = await startProxy(config).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new Error(`Port ${config.port} is already in use. Set PORT to another one.`)
  })
  if (config.log !== 'silent') console.log(`proxy: ${proxy.url}`)
  let closing = false
  const stop = () => {
    if (closing) return
    closing = true
    // Connections that do not end by themselves must not hold the stop up.
    setTimeout(() => process.exit(0), 5000).unref()
    void proxy.close().then(() => process.exit(0))
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
  // The supervisor died: without it nothing may linger on the port.
  if (process.send) process.on('disconnect', stop)
} catch (error) {
  console.error(`proxy: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
