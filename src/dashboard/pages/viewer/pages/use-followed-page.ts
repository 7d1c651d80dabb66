import { useEffect, useRef } from 'react'
import type { PageWindow } from './use-page-window.ts'
import { usePageInUrl } from '../use-viewer-url.ts'
import { useViewedFile } from '../viewed-file.tsx'

/** The address follows the page in view after it rests this long, in milliseconds. */
const REST = 200

/** Goes to the page in the address at the start, and when something else changes it. Otherwise the address follows. */
export function useFollowedPage({ goTo, scroller, view, sight }: PageWindow, pages: number) {
  const { setPage } = useViewedFile().url
  const { page: wanted, isOwn } = usePageInUrl()
  const isReady = pages > 0 && scroller !== null && view.height > 0
  const followed = useRef<number>(undefined)
  useEffect(() => {
    if (!isReady || followed.current === wanted) return
    const isFirst = followed.current === undefined
    followed.current = wanted
    if (isFirst ? wanted > 1 : !isOwn) goTo(wanted)
  }, [isReady, wanted, isOwn, goTo])

  const { page } = sight
  useEffect(() => {
    if (followed.current === undefined || page === wanted) return undefined
    const timer = setTimeout(() => setPage(page), REST)
    return () => clearTimeout(timer)
  }, [page, wanted, setPage])
}
