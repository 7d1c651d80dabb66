import { t } from '@lingui/core/macro'
import { api } from '../../../../../contract/index.ts'
import { messageOf } from '../../../../api/failures.ts'
import { useAction } from '../../../../api/query.ts'
import { NameDialog } from '../../../../ui/dialogs/name-dialog.tsx'

interface CreateDraftDialogProps {
  workspaceId: number
  parentId: number
  parentName: string
  onCreated: (id: number) => void
  onClose: () => void
}

export function CreateDraftDialog({ workspaceId, parentId, parentName, onCreated, onClose }: CreateDraftDialogProps) {
  const create = useAction(api.drafts.create, {
    onDone: ({ id }) => {
      onCreated(id)
      onClose()
    },
  })
  return (
    <NameDialog
      title={t`New draft folder in ${parentName}`}
      intro={t`Only workspace admins see the folder and everything in it, until it is published.`}
      submit={t`Create draft`}
      pending={create.isPending}
      error={create.error ? messageOf(create.error) : undefined}
      onSubmit={(name) => create.mutate({ body: { workspace_id: workspaceId, name, parent_id: parentId } })}
      onClose={onClose}
    />
  )
}
