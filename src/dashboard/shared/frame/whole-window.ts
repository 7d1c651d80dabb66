import { useMatches } from 'react-router-dom'

/** Route handle of a page that has the window to itself: no rail, no top bar. */
export const WHOLE_WINDOW = { wholeWindow: true } as const

export const useWholeWindow = (): boolean => useMatches().some(({ handle }) => handle === WHOLE_WINDOW)
