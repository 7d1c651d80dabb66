import { useCallback, useMemo, useState, type ReactNode } from 'react'
import { useMe } from '../../shared/session.ts'
import { createStore } from '../../ui/store.ts'
import { useLatest } from '../../ui/use-latest.ts'
import { keptPlace } from './pages/kept-places.ts'
import { naturalSize, nextStep, turned, turnedPart, type Size, type Turn, type Zoom } from './pages/page-layout.ts'
import { useFollowedPage } from './pages/use-followed-page.ts'
import { useKeepingPlace } from './pages/use-keeping-place.ts'
import { usePageUrls, type FilePage } from './pages/use-pages.ts'
import { usePinch } from './pages/use-pinch.ts'
import { usePageWindow, type PageWindow } from './pages/use-page-window.ts'
import { useViewSituation } from './use-view-situation.ts'
import { useViewedFile } from './viewed-file.tsx'
import type { ViewSituation } from './viewer-actions.ts'

interface ViewerSight {
  window: PageWindow
  sizes: readonly Size[]
  turn: Turn
  /** The URLs of the pages that are in view, in the canvas or among the thumbnails. */
  pages: ReadonlyMap<number, FilePage>
  renew: (page: number) => Promise<void>
}

interface Looking {
  goTo: (page: number) => void
  turnPage: (step: 1 | -1) => void
  zoom: (zoom: Zoom) => void
  stepZoom: (direction: 1 | -1) => void
  rotate: () => void
  onThumbsInSight: (ranges: [first: number, last: number][]) => void
  pageInView: () => number
  /** Brings a part of a page image into view, given in pixels of that image. */
  showPart: (page: number, part: Size & { x: number; y: number }) => void
  focusPages: () => void
}

const [SightStore, useSight] = createStore<ViewerSight>('view')
const [SituationStore, useSituation] = createStore<ViewSituation>('situation')
const [LookingStore, useLooking] = createStore<Looking>('looking')
export { useLooking, useSight, useSituation }

/** Owns the pages in view, their scale and rotation, and the situation, which follows from them. */
export function SightOwner({ children }: { children: ReactNode }) {
  const { key, document } = useViewedFile()
  const { id: userId } = useMe()
  const { fileId } = key
  const [kept] = useState(() => keptPlace(userId, fileId))
  const [look, setLook] = useState<{ zoom: Zoom; fitted: number; turn: Turn }>({
    zoom: kept?.zoom ?? 'auto',
    fitted: kept?.page ?? 1,
    turn: 0,
  })
  const { turn } = look
  const sizes = useSizes(document, turn)
  const window = usePageWindow(sizes, look.zoom, look.fitted)
  const { first, last } = window.sight
  const [thumbs, setThumbs] = useState<[number, number][]>([[1, 1]])
  const { pages, renew } = usePageUrls(key, document, [[first + 1, last + 1], ...(sizes.length > 1 ? thumbs : [])])
  const situation = useViewSituation(window, look.zoom)
  const latest = useLatest({ ...window, document, look })
  const zoom = useCallback(
    (zoom: Zoom) => setLook((before) => ({ ...before, zoom, fitted: latest.current.sight.page })),
    [latest],
  )
  usePinch(window, zoom)
  useFollowedPage(window, sizes.length, kept)
  useKeepingPlace(window, fileId, look.zoom)
  const looking = useMemo<Looking>(
    () => ({
      goTo: (page) => latest.current.goTo(page),
      turnPage: (step) => latest.current.goTo(latest.current.sight.page + step),
      zoom,
      stepZoom: (direction) => zoom(nextStep(latest.current.scale, direction)),
      rotate: () => setLook((before) => ({ ...before, turn: ((before.turn + 90) % 360) as Turn })),
      onThumbsInSight: setThumbs,
      pageInView: () => latest.current.sight.page,
      showPart: (page, part) => {
        const { document, look, showPart } = latest.current
        const [width, height] = [document?.widths[page - 1] ?? 1, document?.heights[page - 1] ?? 1]
        showPart(page, turnedPart(part, { width, height }, look.turn))
      },
      focusPages: () => latest.current.scroller?.focus({ preventScroll: true }),
    }),
    [latest, zoom],
  )
  const sight = useMemo(() => ({ window, sizes, turn, pages, renew }), [window, sizes, turn, pages, renew])
  return (
    <LookingStore value={looking}>
      <SituationStore value={situation}>
        <SightStore value={sight}>{children}</SightStore>
      </SituationStore>
    </LookingStore>
  )
}

const NO_SIZES: readonly Size[] = []

function useSizes(document: { widths: number[]; heights: number[] } | undefined, turn: Turn): readonly Size[] {
  // An answer with new URLs has the same sizes, so it must not cause a new layout.
  const signature = document ? [document.widths, document.heights].join(';') : ''
  return useMemo(() => {
    if (signature === '') return NO_SIZES
    const [widths = [], heights = []] = signature.split(';').map((side) => (side ? side.split(',').map(Number) : []))
    return widths.map((width, index) => turned(naturalSize({ width, height: heights[index] ?? width }), turn))
  }, [signature, turn])
}
