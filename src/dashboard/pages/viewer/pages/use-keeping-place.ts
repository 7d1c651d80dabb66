import { useEffect } from 'react'
import { useMe } from '../../../shared/session.ts'
import { useLatest } from '../../../ui/use-latest.ts'
import { keepPlace } from './kept-places.ts'
import type { Zoom } from './page-layout.ts'
import type { PageWindow } from './use-page-window.ts'

/** Keeps the place in a file when the user leaves it. */
export function useKeepingPlace({ layout, placeNow }: PageWindow, fileId: number, zoom: Zoom) {
  const { id: userId } = useMe()
  const latest = useLatest({ layout, placeNow, zoom })
  useEffect(() => {
    const keep = () => {
      const { layout, placeNow, zoom } = latest.current
      const { index, share } = placeNow()
      if (layout.boxes.length > 0) keepPlace(userId, fileId, { zoom, page: index + 1, share })
    }
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('pagehide', keep)
      keep()
    }
  }, [latest, userId, fileId])
}
