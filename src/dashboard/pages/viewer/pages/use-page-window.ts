import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import {
  type Box,
  heightOf,
  inSight,
  layOut,
  mainPage,
  MARGIN,
  positionAt,
  type ScrollPosition,
  scaleOf,
  type Size,
  type Zoom,
} from './page-layout.ts'

/** When the scale changes, the content at this share of the window height, from the top, stays in place. */
const LOOKED_AT = 0.3

/** Pixels at the edges of the window that do not count as seen: the find bar may cover them. */
const COVERED = { top: 76, other: 24 }

export interface Sight {
  first: number
  last: number
  /** Counts from 1. */
  page: number
}

const NONE: readonly Size[] = []

/** Tells which pages are in view in a scrolled window, and goes to others. `fitted` is the page that must fit. */
export function usePageWindow(sizes: readonly Size[], zoom: Zoom, fitted: number) {
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const view = useSizeOf(scroller)
  const scale = scaleOf(zoom, view, sizes, fitted)
  const fillsWidth = scale === scaleOf('width', view, sizes, fitted)
  // Before the window is measured, no page has a position that could be kept.
  const laid = view.height > 0 ? sizes : NONE
  const layout = useMemo(() => layOut(laid, scale, view.width), [laid, scale, view.width])
  const [sight, setSight] = useState<Sight>({ first: 0, last: 0, page: 1 })
  /** The page that the user went to, until the user scrolls away. Near the end it may not be the most visible page. */
  const target = useRef<{ page: number; top: number }>(undefined)
  const place = useRef({ top: 0, left: 0 })
  /** Point in the window that stays in place at the next change of scale, if the user points there. */
  const anchor = useRef<{ x: number; y: number }>(undefined)

  const look = useCallback(() => {
    if (!scroller) return
    const { scrollTop: top, scrollLeft: left } = scroller
    place.current = { top, left }
    if (target.current && Math.abs(target.current.top - top) > 2) target.current = undefined
    const page = target.current?.page ?? mainPage(layout, top, view.height)
    const next = { ...inSight(layout, top, view.height), page }
    setSight((before) => (isSame(before, next) ? before : next))
  }, [scroller, layout, view.height])

  const goTo = useCallback(
    (page: number) => {
      const wanted = Math.min(layout.boxes.length, Math.max(1, page))
      const box = layout.boxes[wanted - 1]
      if (!scroller || !box) return
      scroller.scrollTo({ top: box.top - MARGIN })
      target.current = { page: wanted, top: scroller.scrollTop }
      look()
    },
    [scroller, layout, look],
  )
  /** Goes to a place between the beginning and the end of a page. */
  const goToPlace = useCallback(
    (at: ScrollPosition) => {
      scroller?.scrollTo({ top: heightOf(layout, at) })
      look()
    },
    [scroller, layout, look],
  )
  const placeNow = useCallback(() => positionAt(layout, place.current.top), [layout])
  /** Goes to a part of a page, given in shares of the page, unless it is in view. */
  const showPart = useCallback(
    (page: number, part: Box) => {
      const box = layout.boxes[page - 1]
      if (!scroller || !box) return
      const [top, left] = [box.top + part.top * box.height, box.left + part.left * box.width]
      const isInHeight =
        top > scroller.scrollTop + COVERED.top &&
        top + part.height * box.height < scroller.scrollTop + view.height - COVERED.other
      const isInWidth =
        left > scroller.scrollLeft + COVERED.other &&
        left + part.width * box.width < scroller.scrollLeft + view.width - COVERED.other
      scroller.scrollTo({
        ...(!isInHeight && { top: top - view.height * LOOKED_AT }),
        ...(!isInWidth && { left: left - view.width * LOOKED_AT }),
      })
      target.current = { page, top: scroller.scrollTop }
      look()
    },
    [scroller, layout, view, look],
  )
  // A new scale or window size leaves the content in view where it is.
  const before = useRef(layout)
  useLayoutEffect(() => {
    const old = before.current
    before.current = layout
    if (!scroller) return
    if (old !== layout && old.boxes.length > 0) {
      const { x, y } = anchor.current ?? { x: view.width / 2, y: view.height * LOOKED_AT }
      anchor.current = undefined
      const { top, left } = place.current
      scroller.scrollTo({
        top: heightOf(layout, positionAt(old, top + y)) - y,
        left: ((left + x) / old.width) * layout.width - x,
      })
      if (target.current) target.current = { page: target.current.page, top: scroller.scrollTop }
    }
    look()
  }, [scroller, layout, view, look])
  useEffect(() => {
    if (!scroller) return undefined
    scroller.addEventListener('scroll', look, { passive: true })
    return () => scroller.removeEventListener('scroll', look)
  }, [scroller, look])
  return useMemo(
    () => ({
      setScroller,
      scroller,
      view,
      layout,
      scale,
      fillsWidth,
      sight,
      goTo,
      goToPlace,
      placeNow,
      showPart,
      anchor,
    }),
    [scroller, view, layout, scale, fillsWidth, sight, goTo, goToPlace, placeNow, showPart],
  )
}

export type PageWindow = ReturnType<typeof usePageWindow>

const isSame = (a: Sight, b: Sight) => a.first === b.first && a.last === b.last && a.page === b.page

function useSizeOf(element: HTMLElement | null): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    if (!element) return undefined
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return size
}
