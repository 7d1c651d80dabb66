import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { nameOf } from '../../shared/people.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'

export function CreateUserDialog({ onClose }: { onClose: () => void }) {
  const toasts = useToasts()
  const [email, setEmail] = useState('')
  const [first_name, setFirstName] = useState('')
  const [last_name, setLastName] = useState('')
  const create = useAction(api.users.create, {
    onDone: (user) => {
      const name = nameOf(user)
      toasts.done(t`${name} is created and invited by e-mail`)
      onClose()
    },
  })
  return (
    <FormDialog
      open
      title={t`New user`}
      submit={t`Create user`}
      pending={create.isPending}
      disabled={email.trim() === ''}
      unsaved={[email, first_name, last_name].some((text) => text.trim() !== '')}
      error={create.error ? messageOf(create.error) : undefined}
      onSubmit={() => create.mutate({ body: { user: { email: email.trim(), first_name, last_name } } })}
      onClose={onClose}
    >
      <Typography color="textSecondary">
        <Trans>A user enters no team and no workspace yet; their members add people there.</Trans>
      </Typography>
      <TextField
        label={t`E-mail address`}
        type="email"
        value={email}
        autoFocus
        autoComplete="off"
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label={t`First name`}
        value={first_name}
        autoComplete="off"
        onChange={(event) => setFirstName(event.target.value)}
      />
      <TextField
        label={t`Last name`}
        value={last_name}
        autoComplete="off"
        onChange={(event) => setLastName(event.target.value)}
      />
    </FormDialog>
  )
}
