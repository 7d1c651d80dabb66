import { useLocation, useMatches } from 'react-router-dom'

/** Route handle of a page that fills the window, without rail and top bar. */
export const WHOLE_WINDOW = { wholeWindow: true } as const

/** Whether the page shows what another reader has; the signed-in admin's own has no place on it. */
export function useOtherReader(): boolean {
  const { pathname, search } = useLocation()
  const isNamed = /[?&](group|user)=/.test(search) || /\/view-as(\/|$)/.test(pathname)
  return useWholeWindow() && isNamed
}

export const useWholeWindow = (): boolean => useMatches().some(({ handle }) => handle === WHOLE_WINDOW)
