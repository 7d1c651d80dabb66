import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { messageOf } from '../api/failures.ts'
import { signOut } from '../api/session.ts'
import { paths } from '../paths.ts'
import { useToasts } from '../ui/toasts.tsx'
import { useMayLeave } from '../ui/use-unsaved-changes.ts'
import { mayStopUploads, stopUploads } from './uploads/start-uploads.ts'

/** Ends the session and forgets everything that was read in it. */
export function useSignOut() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  const mayLeave = useMayLeave()
  return async () => {
    if (!(await mayLeave()) || !(await mayStopUploads())) return
    try {
      await signOut()
      await stopUploads()
      await navigate(paths.signIn())
      client.clear()
    } catch (error) {
      const reason = messageOf(error)
      toasts.failed(t`You are still signed in. ${reason}`)
    }
  }
}
