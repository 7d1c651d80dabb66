import { plural, t } from '@lingui/core/macro'
import { useNavigate } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import type { GroupInfo } from './group-info.ts'

export function DeleteGroupDialog({ group, onClose }: { group: GroupInfo; onClose: () => void }) {
  const { id, name, workspace_id } = group
  const navigate = useNavigate()
  const toasts = useToasts()
  const remove = useAction(api.groups.remove, {
    // Leave the page first: afterwards the group is read again wherever it is still shown.
    onDone: async () => {
      await navigate(paths.groups(workspace_id), { replace: true })
      toasts.done(t`The group ${name} is deleted`)
    },
  })
  return (
    <ConfirmDialog
      open
      title={t`Delete ${name}?`}
      confirm={t`Delete group`}
      typeName={name}
      pending={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
      onConfirm={() => remove.mutate({ params: { id }, query: { workspace_id } })}
      onClose={onClose}
    >
      {consequence(group)}
    </ConfirmDialog>
  )
}

function consequence({ members_count, is_draft }: GroupInfo): string {
  if (is_draft)
    return t`It is a draft, so nobody loses access. The list of its people and its permissions are gone for good.`
  return plural(
    { members: members_count ?? 0 },
    {
      one: '# member will lose what the group grants, and its permissions are gone for good. Whoever is in no other group loses access to the workspace.',
      other:
        '# members will lose what the group grants, and its permissions are gone for good. Whoever is in no other group loses access to the workspace.',
    },
  )
}
