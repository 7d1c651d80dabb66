import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './failures.ts'
import { sessionQuery } from './session.ts'

/** The only client of the page; loaders and components share it. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, { queryKey }) => notice(error, queryKey[0]) }),
  mutationCache: new MutationCache({ onError: (error) => notice(error) }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // Offline, a read fails visibly like any other instead of waiting silently.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (attempts, error) => error instanceof ApiFailure && error.passing && attempts < 2,
      retryDelay: (attempt) => 400 * 2 ** attempt,
    },
    // A change that waited for the connection would happen when the user no longer expects it.
    mutations: { retry: false, networkMode: 'always' },
  },
})

const WORKSPACE = 'GET /workspaces/{id}'

/** Where terms await, reading the workspace again leads to them, whatever part of a page was refused. */
function notice(error: unknown, failed?: unknown) {
  noticeSignedOut(error)
  const isTerms = error instanceof ApiFailure && error.reason === 'terms_not_accepted'
  if (isTerms && failed !== WORKSPACE) void queryClient.invalidateQueries({ queryKey: [WORKSPACE] })
}

/**
 * If the session has ended elsewhere, the frame shows the sign-in and keeps the requested address. If another user has
 * signed in, the session names that user, for whom the frame loads the page again.
 */
export function noticeSignedOut(error: unknown) {
  if (!(error instanceof ApiFailure)) return
  if (error.otherPerson) void queryClient.refetchQueries(sessionQuery)
  if (!error.signedOut) return
  queryClient.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, user: null })
}
