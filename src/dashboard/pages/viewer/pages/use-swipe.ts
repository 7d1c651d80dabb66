import { useRef, type TouchEvent } from 'react'

/** Pixels that a finger has to move sideways, and how many times further sideways than up or down. */
const FAR = 60
const FLAT = 2

/** A swipe to the left turns to the next page, a swipe to the right to the previous page. */
export function useSwipe(turn: ((step: 1 | -1) => void) | undefined) {
  const from = useRef<{ x: number; y: number }>(undefined)
  const onTouchStart = ({ touches }: TouchEvent) => {
    const finger = touches[0]
    from.current = finger && touches.length === 1 ? { x: finger.clientX, y: finger.clientY } : undefined
  }
  const onTouchEnd = ({ changedTouches }: TouchEvent) => {
    const finger = changedTouches[0]
    const start = from.current
    from.current = undefined
    if (!start || !finger || !turn) return
    const [x, y] = [finger.clientX - start.x, finger.clientY - start.y]
    if (Math.abs(x) > FAR && Math.abs(x) > FLAT * Math.abs(y)) turn(x < 0 ? 1 : -1)
  }
  return { onTouchStart, onTouchEnd }
}
