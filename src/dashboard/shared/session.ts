import { createContext, useContext } from 'react'
import { redirect, type MiddlewareFunction } from 'react-router-dom'
import { queryClient } from '../api/query-client.ts'
import { useRead } from '../api/query.ts'
import { sessionQuery, type Me } from '../api/session.ts'
import { callAs } from '../api/signed-in-as.ts'
import { paths } from '../paths.ts'
import { setTimeZone } from '../ui/words/time-zone.ts'

/** Runs before any loader behind the sign-in. Without a user, redirects to the sign-in, on a first visit to the profile. */
export const requireSession: MiddlewareFunction = async ({ request }) => {
  const { user } = await queryClient.ensureQueryData(sessionQuery)
  setTimeZone(user ? await zoneOf(user.time_zone) : undefined)
  callAs(user?.id)
  const { pathname, search } = new URL(request.url)
  if (!user) throw redirect(paths.signIn(pathname + search))
  if (user.profile_due) throw redirect(paths.aboutYou(pathname + search))
}

/** Returns the IANA zone of a user's zone; the names of Rails, which few users have, are loaded for these alone. */
async function zoneOf(name: string): Promise<string> {
  if (name === '' || name === 'UTC' || name.includes('/')) return name
  return (await import('../../contract/time-zones.ts')).toIanaZone(name)
}

export function useSession() {
  return useRead(sessionQuery)
}

/**
 * The user for whom the frame is drawn. The session may end at any moment, also while a part of the frame appears: until
 * the frame has left for the sign-in, its parts keep this user.
 */
export const FramedUser = createContext<Me | undefined>(undefined)

/** Returns the signed-in user; throws on pages that are not behind the sign-in. */
export function useMe(): Me {
  const { user } = useSession()
  const me = useContext(FramedUser) ?? user
  if (!me) throw new Error('useMe is for pages behind the sign-in')
  return me
}
