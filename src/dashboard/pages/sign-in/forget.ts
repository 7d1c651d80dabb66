import { queryClient } from '../../api/query-client.ts'
import { sessionQuery } from '../../api/session.ts'
import { callAs } from '../../api/signed-in-as.ts'

/** Kept, because this key is not about a user: it stops main.tsx from loading a broken page again and again. */
const RELOADED_AT = 'reloaded_at'

/** Forgets everything that was read in a session, including names of files, however the session ended. */
export function forgetSession(): void {
  callAs(undefined)
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
  queryClient.getMutationCache().clear()
  try {
    for (const key of Object.keys(sessionStorage)) if (key !== RELOADED_AT) sessionStorage.removeItem(key)
  } catch {
    // Without storage nothing was kept.
  }
}
