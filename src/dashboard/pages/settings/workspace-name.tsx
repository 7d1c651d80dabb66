import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import { useState, type SubmitEvent } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { FormError } from '../../ui/form-error.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.ts'

export function WorkspaceName({ workspace }: { workspace: { id: number; name: string } }) {
  const toasts = useToasts()
  const [name, setName] = useState(workspace.name)
  const rename = useAction(api.workspaces.update, { onDone: ({ name: now }) => toasts.done(t`Now called ${now}`) })
  const wanted = name.trim()
  useUnsavedChanges(wanted !== workspace.name)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    rename.mutate({ params: { id: workspace.id }, body: { workspace: { name: wanted } } })
  }
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 1.5 }}>
      <Box sx={{ display: 'flex', gap: 1 }}>
        <TextField
          label={t`Name`}
          value={name}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
          slotProps={{ htmlInput: { maxLength: 255 } }}
        />
        <Button
          type="submit"
          variant="contained"
          loading={rename.isPending}
          disabled={wanted === '' || wanted === workspace.name}
          sx={{ flex: 'none' }}
        >
          <Trans>Rename</Trans>
        </Button>
      </Box>
      {rename.error && <FormError>{messageOf(rename.error)}</FormError>}
    </Box>
  )
}
