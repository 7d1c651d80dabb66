import { t } from '@lingui/core/macro'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { FormDialog, type FormDialogProps } from './form-dialog.tsx'
import { Meanwhile } from '../states/meanwhile.tsx'
import { useDraft } from './use-draft.ts'

interface NameDialogProps extends Omit<FormDialogProps, 'open' | 'onSubmit' | 'children'> {
  stored?: string
  intro?: string
  /** Stands below the field, inside it for screen readers. */
  hint?: string
  /** Receives the name without surrounding spaces. */
  onSubmit: (name: string) => void
  /** Further fields. `unsaved` and `disabled` then tell about these. */
  children?: ReactNode
}

/** Asks for the name of something that is created or renamed. */
export function NameDialog({ stored = '', intro, hint, children, onSubmit, ...dialog }: NameDialogProps) {
  const draft = useDraft({ name: stored })
  const name = draft.values.name.trim()
  const changed = draft.changed.length > 0
  const overtaken = draft.overtaken.length > 0
  return (
    <FormDialog
      {...dialog}
      open
      disabled={name === '' || !changed || dialog.disabled === true}
      unsaved={changed || dialog.unsaved === true}
      onSubmit={() => onSubmit(name)}
    >
      {intro !== undefined && <Typography color="textSecondary">{intro}</Typography>}
      <TextField
        label={t`Name`}
        value={draft.values.name}
        autoFocus
        autoComplete="off"
        onChange={(event) => draft.set({ name: event.target.value })}
        helperText={overtaken ? <Meanwhile value={stored} onTake={() => draft.drop('name')} /> : hint}
        slotProps={{ htmlInput: { maxLength: 255 } }}
      />
      {children}
    </FormDialog>
  )
}
