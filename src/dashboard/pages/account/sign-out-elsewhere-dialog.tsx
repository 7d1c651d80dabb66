import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { count } from '../../ui/format.ts'
import { useToasts } from '../../ui/toasts.tsx'
import type { Session } from './devices.tsx'

interface SignOutElsewhereDialogProps {
  sessions: readonly Session[]
  onClose: () => void
}

export function SignOutElsewhereDialog({ sessions, onClose }: SignOutElsewhereDialogProps) {
  const toasts = useToasts()
  const removeAll = useAction(api.sessions.removeAll, {
    onDone: () => {
      toasts.done('You are signed out everywhere else')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      title="Sign out everywhere else?"
      confirm="Sign out"
      pending={removeAll.isPending}
      error={removeAll.error ? messageOf(removeAll.error) : undefined}
      onConfirm={() => removeAll.mutate({})}
      onClose={onClose}
    >
      {count(sessions.length, 'session ends', 'sessions end')} at once; here you stay signed in. Personal API keys go on
      working: revoke them below where somebody else may have them.
    </ConfirmDialog>
  )
}
