const BEAT_MS = 2000

/**
 * Reports every two seconds to the supervisor that the event loop is running, and stops when the supervisor is gone, so that
 * the process does not keep its port. Without a supervisor it does nothing.
 */
export function obeySupervisor(stop: () => void): void {
  if (!process.send) return
  process.on('disconnect', stop)
  const beat = () => void (process.connected && process.send?.('alive', undefined, undefined, () => {}))
  beat()
  setInterval(beat, BEAT_MS).unref()
}
