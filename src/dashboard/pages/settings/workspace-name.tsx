import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import type { SubmitEvent } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { FormError } from '../../ui/dialogs/form-error.tsx'
import { Meanwhile } from '../../ui/states/meanwhile.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import { useDraft } from '../../ui/dialogs/use-draft.ts'
import { useUnsavedChanges } from '../../ui/dialogs/use-unsaved-changes.ts'

export function WorkspaceName({ workspace }: { workspace: { id: number; name: string } }) {
  const toasts = useToasts()
  const draft = useDraft({ name: workspace.name })
  const rename = useAction(api.workspaces.update, { onDone: ({ name: now }) => toasts.done(t`Now called ${now}`) })
  const changed = draft.changed.length > 0
  const name = draft.values.name.trim()
  useUnsavedChanges(changed)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!changed || name === '' || rename.isPending) return
    rename.mutate(
      { params: { id: workspace.id }, body: { workspace: { name } } },
      { onSuccess: () => draft.saved(draft.values) },
    )
  }
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 1.5 }}>
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
        <TextField
          label={t`Name`}
          value={draft.values.name}
          autoComplete="off"
          onChange={(event) => draft.set({ name: event.target.value })}
          helperText={
            draft.overtaken.length > 0 && <Meanwhile value={workspace.name} onTake={() => draft.drop('name')} />
          }
          slotProps={{ htmlInput: { maxLength: 255 } }}
        />
        <Button
          type="submit"
          variant="contained"
          loading={rename.isPending}
          disabled={name === '' || !changed}
          sx={{ flex: 'none', minHeight: 38 }}
        >
          <Trans>Rename</Trans>
        </Button>
      </Box>
      {rename.error && <FormError>{messageOf(rename.error)}</FormError>}
    </Box>
  )
}
