import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useToasts } from '../../ui/toasts.tsx'

export function CreateTeamDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const toasts = useToasts()
  const create = useAction(api.teams.create, {
    onDone: (team) => {
      toasts.done(`Team “${team.name}” is created, and you own it`)
      onClose()
    },
  })
  return (
    <FormDialog
      open
      title="New team"
      submit="Create team"
      pending={create.isPending}
      disabled={name.trim() === ''}
      error={create.error ? messageOf(create.error) : undefined}
      onSubmit={() => create.mutate({ body: { team: { name } } })}
      onClose={onClose}
    >
      <Typography color="textSecondary">A team holds workspaces and the people who may create them.</Typography>
      <TextField label="Name" autoFocus value={name} onChange={(event) => setName(event.target.value)} />
    </FormDialog>
  )
}
