import { useRef, type TouchEvent } from 'react'

/** Pixels a finger has to go sideways, and how much more sideways than up or down. */
const FAR = 60
const FLAT = 2

/** A finger that goes left turns on, one that goes right turns back. */
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
