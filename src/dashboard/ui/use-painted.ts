import { useEffect, useState } from 'react'

/** Set with the first use of this visit: later everything is loaded, and nothing needs to wait. */
let isWarm = false

/** Returns true once the browser has painted what was rendered since `begun`, so that the rest does not delay that. */
export function usePainted(begun: boolean): boolean {
  const [painted, setPainted] = useState(isWarm)
  useEffect(() => {
    if (!begun || painted) return undefined
    let timer: number | undefined
    const frame = requestAnimationFrame(() => {
      timer = window.setTimeout(() => {
        isWarm = true
        setPainted(true)
      })
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [begun, painted])
  return painted
}
