import { useLayoutEffect, useRef, type RefObject } from 'react'

/** The value of the latest render, for handlers that keep their identity. Read it in events, not while rendering. */
export function useLatest<Value>(value: Value): RefObject<Value> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
