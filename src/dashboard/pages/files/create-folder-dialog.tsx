import { t } from '@lingui/core/macro'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'

interface CreateFolderDialogProps {
  workspaceId: number
  parentId: number
  parentName: string
  onCreated: (id: number) => void
  onClose: () => void
}

export function CreateFolderDialog({ workspaceId, parentId, parentName, onCreated, onClose }: CreateFolderDialogProps) {
  const [name, setName] = useState('')
  const create = useAction(api.folders.create, {
    onDone: ({ id }) => {
      onCreated(id)
      onClose()
    },
  })
  const submit = () => create.mutate({ body: { workspace_id: workspaceId, name: name.trim(), parent_id: parentId } })
  return (
    <FormDialog
      open
      title={t`New folder in ${parentName}`}
      submit={t`Create folder`}
      pending={create.isPending}
      disabled={name.trim() === ''}
      error={create.error ? messageOf(create.error) : undefined}
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
