import { t } from '@lingui/core/macro'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { useAction } from '../../../api/query.ts'
import { NameDialog } from '../../../ui/dialogs/name-dialog.tsx'

interface CreateFolderDialogProps {
  workspaceId: number
  parentId: number
  parentName: string
  onCreated: (id: number) => void
  onClose: () => void
}

export function CreateFolderDialog({ workspaceId, parentId, parentName, onCreated, onClose }: CreateFolderDialogProps) {
  const create = useAction(api.folders.create, {
    onDone: ({ id }) => {
      onCreated(id)
      onClose()
    },
  })
  return (
    <NameDialog
      title={t`New folder in ${parentName}`}
      submit={t`Create folder`}
      pending={create.isPending}
      error={create.error ? messageOf(create.error) : undefined}
      onSubmit={(name) => create.mutate({ body: { workspace_id: workspaceId, name, parent_id: parentId } })}
      onClose={onClose}
    />
  )
}
