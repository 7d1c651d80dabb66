import { queryClient } from '../../api/query-client.ts'
import { sessionQuery } from '../../api/session.ts'
import { callAs } from '../../api/signed-in-as.ts'

/** Not of a person, and without it a page that cannot be loaded would be loaded again and again (main.tsx). */
const RELOADED_AT = 'reloaded_at'

/** Forgets what was read in a session that has ended, however it ended: names of files are among it. */
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
