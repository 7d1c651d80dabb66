import { t } from '@lingui/core/macro'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { NameDialog } from '../../ui/dialogs/name-dialog.tsx'
import type { GroupInfo } from './group-info.ts'

export function RenameGroupDialog({ group, onClose }: { group: GroupInfo; onClose: () => void }) {
  const rename = useAction(api.groups.update, { onDone: onClose })
  return (
    <NameDialog
      title={t`Rename group`}
      submit={t`Rename`}
      stored={group.name}
      pending={rename.isPending}
      error={rename.error ? messageOf(rename.error) : undefined}
      onSubmit={(name) =>
        rename.mutate({ params: { id: group.id }, body: { workspace_id: group.workspace_id, group: { name } } })
      }
      onClose={onClose}
    />
  )
}
