import { useEffect, useState } from 'react'

/** Set with the first use of this visit: later everything is loaded, and nothing needs to wait. */
let isWarm = false

/** A hidden tab paints nothing, so do not wait longer for that. */
const AT_MOST_MS = 1000

/** Returns true once the browser has painted what was rendered since `begun`, so that the rest does not delay that. */
export function usePainted(begun: boolean): boolean {
  const [painted, setPainted] = useState(isWarm)
  useEffect(() => {
    if (!begun || painted) return undefined
    const goOn = () => {
      isWarm = true
      setPainted(true)
    }
    let timer = window.setTimeout(goOn, AT_MOST_MS)
    const frame = requestAnimationFrame(() => {
      clearTimeout(timer)
      timer = window.setTimeout(goOn)
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [begun, painted])
  return painted
}
