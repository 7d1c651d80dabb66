import { useEffect, useRef } from 'react'
import { bounded } from './page-layout.ts'
import type { PageWindow } from './use-page-window.ts'

/** Exponent of the scale per pixel of the wheel with Ctrl. Browsers report a pinch on a touchpad as the same event. */
const WHEEL = 0.0025
/** Two taps within this time (milliseconds) and distance (pixels) are a double tap. */
const SOON = 300
const CLOSE = 30

type Point = Pick<Touch, 'clientX' | 'clientY'>

/** Two fingers, or the wheel with Ctrl, zoom about the point where they are. A double tap zooms in, and out again. */
export function usePinch({ scroller, scale, anchor }: PageWindow, zoom: (scale: number | 'auto') => void) {
  const latest = useRef({ scale, zoom })
  useEffect(() => {
    latest.current = { scale, zoom }
  })
  useEffect(() => {
    if (!scroller) return undefined
    let pinch: { distance: number; scale: number } | undefined
    let started: Point | undefined
    let tapped: { at: number; point: Point } | undefined
    const zoomAt = (to: number | 'auto', { clientX, clientY }: Point) => {
      const { left, top } = scroller.getBoundingClientRect()
      anchor.current = { x: clientX - left, y: clientY - top }
      latest.current.zoom(to)
    }
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      zoomAt(bounded(latest.current.scale * Math.exp(-event.deltaY * WHEEL)), event)
    }
    const onStart = ({ touches: [one, other] }: TouchEvent) => {
      started = one
      pinch = one && other && { distance: between(one, other), scale: latest.current.scale }
    }
    const onMove = (event: TouchEvent) => {
      const [one, other] = event.touches
      if (!pinch || !one || !other) return
      event.preventDefault()
      zoomAt(bounded((pinch.scale * between(one, other)) / pinch.distance), middle(one, other))
    }
    const onEnd = ({ touches, changedTouches: [point], timeStamp }: TouchEvent) => {
      if (touches.length > 0 || !point) return
      const isTap = !pinch && started !== undefined && between(started, point) < CLOSE
      const isSecond = isTap && tapped && timeStamp - tapped.at < SOON && between(tapped.point, point) < CLOSE
      if (isSecond) zoomAt(isEnlarged(scroller) ? 'auto' : bounded(latest.current.scale * 2), point)
      tapped = isTap && !isSecond ? { at: timeStamp, point } : undefined
      pinch = undefined
    }
    const listeners = { wheel: onWheel, touchstart: onStart, touchmove: onMove, touchend: onEnd }
    const all = Object.entries(listeners) as [string, EventListener][]
    // Not passive, because the browser would zoom the whole page.
    for (const [type, listener] of all) scroller.addEventListener(type, listener, { passive: false })
    return () => {
      for (const [type, listener] of all) scroller.removeEventListener(type, listener)
    }
  }, [scroller, anchor])
}

const isEnlarged = ({ scrollWidth, clientWidth }: HTMLElement) => scrollWidth > clientWidth + 1

const between = (one: Point, other: Point) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)

const middle = (one: Point, other: Point): Point => ({
  clientX: (one.clientX + other.clientX) / 2,
  clientY: (one.clientY + other.clientY) / 2,
})
