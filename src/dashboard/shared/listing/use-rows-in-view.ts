import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { printedRange } from '../../ui/print.ts'

const NOWHERE: (to: ScrollToOptions) => void = () => {}

/** Rows above and below the visible ones that are rendered too. */
const SPARE = 8

interface RowsInViewOptions {
  count: number
  /** Height of a row, in pixels. */
  height: number
  /** Height of what sticks to the top of the surface, in pixels. */
  head?: number
  /** Index of a row that the keyboard needs even out of view; negative for none. */
  active: number
  /** Renders the rows for print, wherever the list is scrolled to. */
  printing?: boolean
}

export interface RowsInView {
  /** Indices of the rows to render. */
  rows: number[]
  /** Scrolls as little as needed to show a row. It uses known positions, because reading them would force a layout. */
  show: (index: number, align?: 'nearest' | 'center') => void
}

type Surface = { current: HTMLElement | null }

/** For lists of rows with one height: keeps only the rows in view in the DOM. The rows position themselves. */
export function useRowsInView(surface: Surface, options: RowsInViewOptions): RowsInView {
  const { count, height, head = 0, active, printing = false } = options
  const view = useRef({ top: 0, size: window.innerHeight, scrollTo: NOWHERE })
  const [first, setFirst] = useState(0)
  const [visible, setVisible] = useState(() => Math.ceil(window.innerHeight / height))
  useLayoutEffect(() => {
    const element = surface.current
    if (!element) return undefined
    const look = () => {
      const scrollTo = (to: ScrollToOptions) => element.scrollTo(to)
      view.current = { top: element.scrollTop, size: element.clientHeight, scrollTo }
      setFirst(Math.floor(Math.max(0, element.scrollTop - head) / height))
      setVisible(Math.ceil(element.clientHeight / height) + 1)
    }
    // Renders before the browser paints the scrolled list, which would show a gap.
    const onScroll = () => flushSync(look)
    look()
    const resized = new ResizeObserver(look)
    resized.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [surface, height, head])
  const show = useCallback<RowsInView['show']>(
    (index, align = 'nearest') => {
      const { top, size, scrollTo } = view.current
      const [above, below] = [index * height, head + (index + 1) * height - size]
      const target = align === 'center' ? (above + below) / 2 : Math.max(below, Math.min(above, top))
      if (target !== top) scrollTo({ top: Math.max(0, target) })
    },
    [height, head],
  )
  const rows = useMemo(() => {
    if (printing) return printedRange(count)
    const [from, to] = [Math.max(0, first - SPARE), Math.min(count, first + visible + SPARE)]
    const inView = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at)
    if (active < 0 || active >= count || (active >= from && active < to)) return inView
    return active < from ? [active, ...inView] : [...inView, active]
  }, [count, first, visible, active, printing])
  return { rows, show }
}
