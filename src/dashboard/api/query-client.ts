import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './failures.ts'
import { sessionQuery } from './session.ts'

/** One for the page: loaders and components share it. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSignedOut }),
  mutationCache: new MutationCache({ onError: noticeSignedOut }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // Offline a read fails like any other, and says so, instead of waiting without a word.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (attempts, error) => error instanceof ApiFailure && error.passing && attempts < 2,
      retryDelay: (attempt) => 400 * 2 ** attempt,
    },
    // A change that waited for the connection would be made when nobody expects it any more.
    mutations: { retry: false, networkMode: 'always' },
  },
})

/**
 * The session has ended elsewhere: the frame then shows the sign-in and keeps the wanted address. A page of somebody else's
 * is loaded anew as that person's.
 */
export function noticeSignedOut(error: unknown) {
  if (!(error instanceof ApiFailure)) return
  if (error.otherPerson) window.location.reload()
  if (!error.signedOut) return
  queryClient.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, user: null })
}
