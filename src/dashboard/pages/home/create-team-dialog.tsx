import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
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
    onDone: ({ name }) => {
      toasts.done(t`Team “${name}” is created, and you own it`)
      onClose()
    },
  })
  return (
    <FormDialog
      open
      title={t`New team`}
      submit={t`Create team`}
      pending={create.isPending}
      disabled={name.trim() === ''}
      unsaved={name.trim() !== ''}
      error={create.error ? messageOf(create.error) : undefined}
      onSubmit={() => create.mutate({ body: { team: { name, suppress_emails: false } } })}
      onClose={onClose}
    >
      <Typography color="textSecondary">
        <Trans>A team holds workspaces and the people who may create them.</Trans>
      </Typography>
      <TextField
        label={t`Name`}
        autoFocus
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 255 } }}
      />
    </FormDialog>
  )
}
