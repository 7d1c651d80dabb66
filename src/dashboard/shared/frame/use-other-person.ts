import { useEffect, useRef } from 'react'

/**
 * Reloads the page once another user has signed in from another tab: the cookie now belongs to that user, so the data
 * on this page is invalid. The session is read again whenever the tab comes to the front.
 */
export function useOtherPerson(userId: number) {
  const first = useRef(userId)
  useEffect(() => {
    if (first.current !== userId) window.location.reload()
  }, [userId])
}
