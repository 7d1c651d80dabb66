import { useEffect, useState } from 'react'

const REST_MS = 120

/** Returns true after the details of an entry have been shown for a moment: the arrow keys pass by many entries. */
export function useRested(): boolean {
  const [rested, setRested] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setRested(true), REST_MS)
    return () => clearTimeout(timer)
  }, [])
  return rested
}
