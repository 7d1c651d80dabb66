import { useSyncExternalStore } from 'react'

/**
 * Whether the tab is shown and has the focus. The service counts a question as seen once it is read, so an open
 * question is read only while the user looks at it.
 */
export const useLookedAt = (): boolean => useSyncExternalStore(watch, () => !document.hidden && document.hasFocus())

function watch(onChange: () => void) {
  const listening = new AbortController()
  for (const event of ['focus', 'blur']) window.addEventListener(event, onChange, listening)
  document.addEventListener('visibilitychange', onChange, listening)
  return () => listening.abort()
}
