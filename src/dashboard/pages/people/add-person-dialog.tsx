import { t } from '@lingui/core/macro'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { read, useAction } from '../../api/query.ts'
import { nameOf } from '../../shared/people.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useToasts } from '../../ui/toasts.tsx'

interface AddPersonDialogProps {
  workspaceId: number
  onClose: () => void
}

/** People come into a workspace by way of a group. */
export function AddPersonDialog({ workspaceId, onClose }: AddPersonDialogProps) {
  const toasts = useToasts()
  const { data: groups = [] } = useQuery(read(api.groups.list, { query: { workspace_id: workspaceId } }))
  const [email, setEmail] = useState('')
  const [groupId, setGroupId] = useState<number>()
  const [send_email, setSendEmail] = useState(true)
  const add = useAction(api.groups.addMember, {
    onDone: (user) => {
      const name = nameOf(user)
      toasts.done(t`${name} has been added`)
      onClose()
    },
  })
  const submit = () => {
    if (groupId === undefined) return
    add.mutate({ params: { id: groupId }, body: { workspace_id: workspaceId, email: email.trim(), send_email } })
  }
  return (
    <FormDialog
      open
      title={t`Add person`}
      submit={t`Add`}
      pending={add.isPending}
      disabled={email.trim() === '' || groupId === undefined}
      unsaved={email.trim() !== ''}
      error={add.error ? messageOf(add.error) : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t`E-mail address`}
        type="email"
        value={email}
        autoFocus
        autoComplete="off"
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        select
        label={t`Group`}
        value={groupId ?? ''}
        helperText={t`The group decides what the person may see and do.`}
        onChange={(event) => setGroupId(Number(event.target.value))}
      >
        {groups.map(({ id, name }) => (
          <MenuItem key={id} value={id}>
            {name}
          </MenuItem>
        ))}
      </TextField>
      <FormControlLabel
        control={<Checkbox size="small" checked={send_email} onChange={(_event, next) => setSendEmail(next)} />}
        label={t`Send an invitation e-mail`}
      />
    </FormDialog>
  )
}
