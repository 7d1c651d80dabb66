import { useSuspenseQuery } from '@tanstack/react-query'
import { redirect, type LoaderFunctionArgs } from 'react-router-dom'
import { queryClient } from '../api/query-client.ts'
import { sessionQuery, type User } from '../api/session.ts'
import { paths } from '../paths.ts'
import { setTimeZone } from '../ui/format.ts'

/** Loader of everything behind the sign-in; keeps the wanted address for afterwards. */
export async function requireSession({ request }: LoaderFunctionArgs) {
  const { user } = await queryClient.ensureQueryData(sessionQuery)
  setTimeZone(user?.time_zone)
  const { pathname, search } = new URL(request.url)
  return user ? null : redirect(paths.signIn(pathname + search))
}

export function useSession() {
  return useSuspenseQuery(sessionQuery).data
}

/** The person signed in; only below the frame, which shows nothing to anyone else. */
export function useMe(): User {
  const { user } = useSession()
  if (!user) throw new Error('useMe is for pages behind the sign-in')
  return user
}
