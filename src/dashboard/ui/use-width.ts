import { type RefObject, useEffect, useState } from 'react'

/** Returns the current width of an element in pixels; `first` until it is known. */
export function useWidth(ref: RefObject<HTMLElement | null>, first: number): number {
  const [width, setWidth] = useState(first)
  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => setWidth(element.clientWidth || first))
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref, first])
  return width
}
