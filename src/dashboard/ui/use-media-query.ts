import { useCallback, useSyncExternalStore } from 'react'

export function useMediaQuery(query: string): boolean {
  const text = query.replace('@media ', '')
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(text)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    [text],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(text).matches)
}
