import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { nameOf } from '../../shared/people.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useToasts } from '../../ui/toasts.tsx'

export function CreateUserDialog({ onClose }: { onClose: () => void }) {
  const toasts = useToasts()
  const [email, setEmail] = useState('')
  const [first_name, setFirstName] = useState('')
  const [last_name, setLastName] = useState('')
  const create = useAction(api.users.create, {
    onDone: (user) => {
      toasts.done(`${nameOf(user)} is created and invited by e-mail`)
      onClose()
    },
  })
  return (
    <FormDialog
      open
      title="New user"
      submit="Create user"
      pending={create.isPending}
      disabled={email.trim() === ''}
      error={create.error ? messageOf(create.error) : undefined}
      onSubmit={() => create.mutate({ body: { user: { email: email.trim(), first_name, last_name } } })}
      onClose={onClose}
    >
      <Typography color="textSecondary">
        A user enters no team and no workspace yet; their members add people there.
      </Typography>
      <TextField
        label="E-mail address"
        type="email"
        value={email}
        autoFocus
        autoComplete="off"
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label="First name"
        value={first_name}
        autoComplete="off"
        onChange={(event) => setFirstName(event.target.value)}
      />
      <TextField
        label="Last name"
        value={last_name}
        autoComplete="off"
        onChange={(event) => setLastName(event.target.value)}
      />
    </FormDialog>
  )
}
