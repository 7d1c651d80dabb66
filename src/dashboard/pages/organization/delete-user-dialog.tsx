import { t } from '@lingui/core/macro'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import type { User } from '../../api/session.ts'
import { nameOf } from '../../shared/people.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'

export function DeleteUserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const name = nameOf(user)
  const toasts = useToasts()
  const remove = useAction(api.users.remove, {
    onDone: () => {
      toasts.done(t`${name} is deleted`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      title={t`Delete ${name}?`}
      confirm={t`Delete user`}
      typeName={user.email}
      pending={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
      onConfirm={() => remove.mutate({ query: { user: { id: user.id } } })}
      onClose={onClose}
    >
      {t`${name} will leave every team and workspace at once, and all of their API keys end. What they did stays on record. This cannot be taken back.`}
    </ConfirmDialog>
  )
}
