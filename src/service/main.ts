import { freezeIntrinsics } from '../wire/freeze-intrinsics.ts'
import { startService } from './app.ts'
import { readConfig } from './config.ts'

try {
  freezeIntrinsics()
  const service = await startService(readConfig())
  console.log(`service: ${service.url}`)
  let closing = false
  const stop = () => {
    if (closing) return
    closing = true
    // Connections that do not end by themselves must not hold the stop up.
    setTimeout(() => process.exit(0), 5000).unref()
    void service.close().then(() => process.exit(0))
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
  // The supervisor died: without it nothing may linger on the port.
  if (process.send) process.on('disconnect', stop)
} catch (error) {
  console.error(`service: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
