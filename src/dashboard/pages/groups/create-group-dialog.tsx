import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { NameDialog } from '../../ui/dialogs/name-dialog.tsx'
import { CheckRow } from '../../ui/fields/switch-row.tsx'
import { abilitiesText } from './settings/abilities.ts'

interface CreateGroupDialogProps {
  workspaceId: number
  onClose: () => void
}

export function CreateGroupDialog({ workspaceId, onClose }: CreateGroupDialogProps) {
  const navigate = useNavigate()
  const [file_managing_abilities, setAbilities] = useState(false)
  const [is_draft, setDraft] = useState(false)
  const create = useAction(api.groups.create, {
    // Replaced, so that Back leads to the groups and not to the open dialog.
    onDone: ({ id }) => navigate(paths.group(workspaceId, id), { replace: true }),
  })
  const submit = (name: string) =>
    create.mutate({ body: { group: { name, workspace_id: workspaceId, file_managing_abilities, is_draft } } })
  return (
    <NameDialog
      title={t`New group`}
      submit={t`Create group`}
      pending={create.isPending}
      unsaved={file_managing_abilities || is_draft}
      error={create.error ? messageOf(create.error) : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <CheckRow
        label={t`Members manage files`}
        text={abilitiesText()}
        checked={file_managing_abilities}
        onChange={setAbilities}
      />
      <CheckRow
        label={t`Begin as a draft`}
        text={t`You prepare its people and rights. Nobody gets in through it, or is mailed, until you publish it.`}
        checked={is_draft}
        onChange={setDraft}
      />
    </NameDialog>
  )
}
