import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import { type HTMLInputTypeAttribute, type SubmitEvent } from 'react'
import { FormError } from '../dialogs/form-error.tsx'
import { Meanwhile } from '../states/meanwhile.tsx'
import { useDraft } from '../dialogs/use-draft.ts'
import { useUnsavedChanges } from '../dialogs/use-unsaved-changes.ts'

interface TextFormField<Key extends string> {
  key: Key
  label: string
  type?: HTMLInputTypeAttribute
  multiline?: boolean
  maxLength?: number
}

interface TextFormProps<Key extends string> {
  fields: readonly TextFormField<Key>[]
  values: Record<Key, string>
  pending: boolean
  error: string | undefined
  /** Gets only the changed values, so that others keep theirs. Call `onSaved` after the stored values have been read again. */
  onSave: (changed: Partial<Record<Key, string>>, onSaved: () => void) => void
}

/** Text fields that are saved together; Save is disabled until a field has changed. */
export function TextForm<Key extends string>({ fields, values, pending, error, onSave }: TextFormProps<Key>) {
  const draft = useDraft(values)
  const changed = draft.changed.length > 0
  useUnsavedChanges(changed)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!changed || pending) return
    const sent = Object.fromEntries(draft.changed.map((key) => [key, draft.values[key]])) as Partial<
      Record<Key, string>
    >
    onSave(sent, () => draft.saved(draft.values))
  }
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 2 }}>
      {fields.map(({ key, label, type = 'text', multiline = false, maxLength = 255 }) => (
        <TextField
          key={key}
          label={label}
          type={type}
          multiline={multiline}
          value={draft.values[key]}
          autoComplete="off"
          onChange={(event) => draft.set({ [key]: event.target.value } as Partial<Record<Key, string>>)}
          helperText={draft.overtaken.includes(key) && <Meanwhile value={values[key]} onTake={() => draft.drop(key)} />}
          slotProps={{ htmlInput: { maxLength } }}
        />
      ))}
      {error && <FormError>{error}</FormError>}
      <Box>
        <Button type="submit" variant="contained" loading={pending} disabled={!changed}>
          <Trans>Save</Trans>
        </Button>
      </Box>
    </Box>
  )
}
