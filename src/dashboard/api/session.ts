import { queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { currentUser, user } from '../../contract/endpoints/users.ts'
import { send } from './client.ts'

export type User = z.output<typeof user>
/** The signed-in user, with the fields of the account that only this user sees. */
export type Me = z.output<typeof currentUser>

/** The proxy's reply about the session: the signed-in user and the available ways to sign in. */
export interface Session {
  user: Me | null
  /** The people that a visitor of the demo can continue as. The role has a code if it is one of the contract's. */
  demo_people: { email: string; name: string; role: string; role_code: string | null }[]
  /** The identity provider, if one is configured. */
  oidc: { name: string } | null
  /** Set by the dashboard instead of the proxy: the user has just signed out on this page. */
  signed_out?: boolean
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => send<Session>('GET', '/auth/session', undefined, signal),
  staleTime: Number.POSITIVE_INFINITY,
  // Another tab may have signed out, or signed in as another user.
  refetchOnWindowFocus: 'always',
})

export const requestCode = (email: string) => send<void>('POST', '/auth/code', { email })
export const signIn = (email: string, code: string) => send<{ user: Me }>('POST', '/auth/sign-in', { email, code })
export const continueAs = (email: string) => send<{ user: Me }>('POST', '/auth/demo', { email })
export const signOut = () => send<void>('POST', '/auth/sign-out')
