import { useEffect, useRef } from 'react'
import { reloadWithoutAsking } from '../../ui/leaving.ts'

/**
 * Reloads the page once another user has signed in from another tab: the cookie now belongs to that user, so the data
 * on this page is invalid, and the former user's unsaved input with it. The session is read again whenever the tab comes
 * to the front, and when a call is refused because of the other user.
 */
export function useOtherPerson(userId: number) {
  const first = useRef(userId)
  useEffect(() => {
    if (first.current !== userId) reloadWithoutAsking()
  }, [userId])
}
