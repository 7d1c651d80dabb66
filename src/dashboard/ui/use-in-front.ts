import { useEffect, useState } from 'react'

const MOMENT_MS = 600

/**
 * Whether the window has been in front for a moment. Another site can open the window under a click or a held key that
 * was meant for something else; such input arrives before the moment is over.
 */
export function useInFront(): boolean {
  const [inFront, setInFront] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const leave = () => {
      clearTimeout(timer)
      setInFront(false)
    }
    const come = () => {
      leave()
      timer = setTimeout(() => setInFront(true), MOMENT_MS)
    }
    const change = () => (document.hidden ? leave() : come())
    come()
    window.addEventListener('focus', come)
    window.addEventListener('blur', leave)
    document.addEventListener('visibilitychange', change)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('focus', come)
      window.removeEventListener('blur', leave)
      document.removeEventListener('visibilitychange', change)
    }
  }, [])
  return inFront
}
