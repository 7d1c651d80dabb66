import { useEffect } from 'react'

/** Lets the browser ask in its own words before the page is closed. */
export function useLeaveWarning(active: boolean) {
  useEffect(() => {
    if (!active) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [active])
}
