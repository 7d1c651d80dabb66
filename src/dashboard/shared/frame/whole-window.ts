import { useMatches } from 'react-router-dom'

/** Route handle of a page that fills the window, without rail and top bar. */
export const WHOLE_WINDOW = { wholeWindow: true } as const

export const useWholeWindow = (): boolean => useMatches().some(({ handle }) => handle === WHOLE_WINDOW)
