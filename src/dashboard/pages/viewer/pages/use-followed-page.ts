import { useEffect, useRef } from 'react'
import type { KeptPlace } from './kept-places.ts'
import type { PageWindow } from './use-page-window.ts'
import { usePageInUrl } from '../use-viewer-url.ts'
import { useViewedFile } from '../viewed-file.tsx'

/** The address follows the page in view after it rests this long, in milliseconds. */
const REST = 200

/**
 * Goes to the page in the address at the start, and when something else changes it. Otherwise the address follows. An
 * address without a page, or one that a reload has kept, leads to the kept place.
 */
export function useFollowedPage(
  { goTo, goToPlace, scroller, view, sight }: PageWindow,
  pages: number,
  kept?: KeptPlace,
) {
  const { setPage } = useViewedFile().url
  const { page: wanted, isGiven, isOwn } = usePageInUrl()
  const isReady = pages > 0 && scroller !== null && view.height > 0
  const followed = useRef<number>(undefined)
  useEffect(() => {
    if (!isReady || followed.current === wanted) return
    const isFirst = followed.current === undefined
    followed.current = wanted
    if (isFirst && kept && (isOwn ? wanted === kept.page : !isGiven)) {
      goToPlace({ index: Math.min(kept.page, pages) - 1, share: kept.share })
    } else if (isFirst ? wanted > 1 : !isOwn) goTo(wanted)
  }, [isReady, wanted, isGiven, isOwn, goTo, goToPlace, kept, pages])

  const { page } = sight
  useEffect(() => {
    if (followed.current === undefined || page === wanted) return undefined
    const timer = setTimeout(() => setPage(page), REST)
    return () => clearTimeout(timer)
  }, [page, wanted, setPage])
}
