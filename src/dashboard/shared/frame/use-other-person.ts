import { useEffect, useRef } from 'react'

/**
 * Someone signed in as another person in another tab: the cookie is theirs now, so everything on this page belongs to
 * nobody. The session is read again whenever the tab comes to the front.
 */
export function useOtherPerson(userId: number) {
  const first = useRef(userId)
  useEffect(() => {
    if (first.current !== userId) window.location.reload()
  }, [userId])
}
