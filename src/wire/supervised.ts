const BEAT_MS = 1000

/**
 * Under a supervisor: tells it each second that the event loop turns, and stops when it is gone, so that nothing lingers
 * on a port. Without one it does nothing.
 */
export function obeySupervisor(stop: () => void): void {
  if (!process.send) return
  process.on('disconnect', stop)
  const beat = () => void (process.connected && process.send?.('alive', undefined, undefined, () => {}))
  beat()
  setInterval(beat, BEAT_MS).unref()
}
