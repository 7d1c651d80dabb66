import { t } from '@lingui/core/macro'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { read, useAction, useReading } from '../../api/query.ts'
import { nameOf } from '../../shared/people.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import type { Member } from './member.ts'

/** A person who leaves All Members leaves the workspace. */
export function RemovePersonDialog({ person, onClose }: { person: Member; onClose: () => void }) {
  const { user, workspace_id } = person
  const name = nameOf(user)
  const toasts = useToasts()
  const groups = useReading(read(api.groups.list, { query: { workspace_id } }))
  const everybody = groups.data?.find(({ kind }) => kind === 'all_members')
  const remove = useAction(api.groups.removeMember, {
    onDone: () => {
      toasts.done(t`${name} is no longer in this workspace`)
      onClose()
    },
  })
  const error = remove.error ?? groups.error
  return (
    <ConfirmDialog
      open
      title={t`Remove ${name}?`}
      confirm={t`Remove`}
      pending={remove.isPending || groups.isPending}
      error={error ? messageOf(error) : undefined}
      onConfirm={() =>
        everybody && remove.mutate({ params: { id: everybody.id }, query: { workspace_id, user_id: user.id } })
      }
      onClose={onClose}
    >
      {t`${name} will leave every group and lose access to the workspace.`}
    </ConfirmDialog>
  )
}
