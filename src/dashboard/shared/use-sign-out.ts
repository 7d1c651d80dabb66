import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { messageOf } from '../api/failures.ts'
import { sessionQuery, signOut } from '../api/session.ts'
import { useToasts } from '../ui/toasts/toasts.tsx'
import { useMayLeave } from '../ui/dialogs/use-unsaved-changes.ts'
import { mayStopUploads, stopUploads } from './uploads/drop/start-uploads.ts'

/**
 * Ends the session. The sign-in page, to which this leads, clears the data of the session. A page that anybody may see
 * does that itself, in `onSignedOut`.
 */
export function useSignOut(onSignedOut?: () => void) {
  const client = useQueryClient()
  const toasts = useToasts()
  const mayLeave = useMayLeave()
  return async () => {
    if (!(await mayLeave()) || !(await mayStopUploads())) return
    try {
      await signOut()
      await stopUploads()
      // The frame then redirects to the sign-in, which continues with the empty session.
      client.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, user: null, signed_out: true })
      onSignedOut?.()
    } catch (error) {
      const reason = messageOf(error)
      toasts.failed(t`You are still signed in. ${reason}`)
    }
  }
}
