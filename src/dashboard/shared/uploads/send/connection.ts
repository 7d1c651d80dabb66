/** Whether the browser knows of a connection at all. */
export const isOnline = () => navigator.onLine

export function onConnection(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Waits until the browser is online; rejects if `signal` aborts. */
export function untilOnline(signal: AbortSignal): Promise<void> {
  if (isOnline()) return Promise.resolve()
  return new Promise((resolve, reject) => {
    window.addEventListener('online', () => resolve(), { once: true, signal })
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
