import { queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { currentUser, user } from '../../contract/users.ts'
import { send } from './client.ts'

export type User = z.output<typeof user>
/** The person signed in, with what only they see of their account. */
export type Me = z.output<typeof currentUser>

/** What the proxy tells a browser: who is signed in, and in which ways one may sign in. */
export interface Session {
  user: Me | null
  /** On the demo: the people one may continue as. */
  demo_people: { email: string; name: string; role: string }[]
  /** The identity provider, where there is one. */
  oidc: { name: string } | null
  /** Not the proxy's: the person has just signed out here. */
  signed_out?: boolean
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => send<Session>('GET', '/auth/session', undefined, signal),
  staleTime: Number.POSITIVE_INFINITY,
  // Another tab may have signed out, or in as someone else.
  refetchOnWindowFocus: 'always',
})

export const requestCode = (email: string) => send<void>('POST', '/auth/code', { email })
export const signIn = (email: string, code: string) => send<{ user: Me }>('POST', '/auth/sign-in', { email, code })
export const continueAs = (email: string) => send<{ user: Me }>('POST', '/auth/demo', { email })
export const signOut = () => send<void>('POST', '/auth/sign-out')
