import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import type { Session } from './devices.tsx'

interface SignOutElsewhereDialogProps {
  sessions: readonly Session[]
  onClose: () => void
}

export function SignOutElsewhereDialog({ sessions, onClose }: SignOutElsewhereDialogProps) {
  const toasts = useToasts()
  const removeAll = useAction(api.sessions.removeAll, {
    onDone: () => {
      toasts.done(t`You are signed out everywhere else`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      title={t`Sign out everywhere else?`}
      confirm={t`Sign out`}
      pending={removeAll.isPending}
      error={removeAll.error ? messageOf(removeAll.error) : undefined}
      onConfirm={() => removeAll.mutate({})}
      onClose={onClose}
    >
      <Plural
        value={sessions.length}
        one="# session ends at once; here you stay signed in."
        other="# sessions end at once; here you stay signed in."
      />{' '}
      <Trans>Personal API keys go on working: revoke them below where somebody else may have them.</Trans>
    </ConfirmDialog>
  )
}
