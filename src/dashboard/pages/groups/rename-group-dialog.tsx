import { t } from '@lingui/core/macro'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import type { GroupInfo } from './group-info.ts'

export function RenameGroupDialog({ group, onClose }: { group: GroupInfo; onClose: () => void }) {
  const [name, setName] = useState(group.name)
  const rename = useAction(api.groups.update, { onDone: onClose })
  const submit = () =>
    rename.mutate({
      params: { id: group.id },
      body: { workspace_id: group.workspace_id, group: { name: name.trim() } },
    })
  return (
    <FormDialog
      open
      title={t`Rename group`}
      submit={t`Rename`}
      pending={rename.isPending}
      disabled={name.trim() === '' || name.trim() === group.name}
      error={rename.error ? messageOf(rename.error) : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t`Name`}
        value={name}
        autoFocus
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 255 } }}
      />
    </FormDialog>
  )
}
