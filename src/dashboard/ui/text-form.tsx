import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import { useState, type HTMLInputTypeAttribute, type SubmitEvent } from 'react'
import { FormError } from './form-error.tsx'
import { useUnsavedChanges } from './use-unsaved-changes.ts'

interface TextFormField<Key extends string> {
  key: Key
  label: string
  type?: HTMLInputTypeAttribute
  multiline?: boolean
  maxLength?: number
}

interface TextFormProps<Key extends string> {
  fields: readonly TextFormField<Key>[]
  /** What is stored. */
  values: Record<Key, string>
  pending: boolean
  error: string | undefined
  onSave: (values: Record<Key, string>) => void
}

/** Lines of text that are saved together; Save waits until something has changed. */
export function TextForm<Key extends string>({ fields, values, pending, error, onSave }: TextFormProps<Key>) {
  const [draft, setDraft] = useState(values)
  const changed = fields.some(({ key }) => draft[key].trim() !== values[key])
  useUnsavedChanges(changed)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (changed && !pending) onSave(draft)
  }
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 2 }}>
      {fields.map(({ key, label, type = 'text', multiline = false, maxLength = 255 }) => (
        <TextField
          key={key}
          label={label}
          type={type}
          multiline={multiline}
          value={draft[key]}
          autoComplete="off"
          onChange={(event) => setDraft((before) => ({ ...before, [key]: event.target.value }))}
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
