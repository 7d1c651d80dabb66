import { t } from '@lingui/core/macro'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useState, type ReactNode } from 'react'
import { FormDialog } from './form-dialog.tsx'

interface ConfirmDialogProps {
  open: boolean
  title: string
  /** Says what will happen, with counts. */
  children: ReactNode
  /** Label of the button: "Delete 12 files". */
  confirm: string
  /** The user has to type this before the button is enabled, for the most destructive actions. */
  typeName?: string
  pending?: boolean
  error?: string | undefined
  onConfirm: () => void
  onClose: () => void
}

/** Asks before a destructive action. */
export function ConfirmDialog({ typeName, children, confirm, onConfirm, ...dialog }: ConfirmDialogProps) {
  const [typed, setTyped] = useState('')
  const ready = typeName === undefined || typed.trim() === typeName.trim()
  return (
    <FormDialog {...dialog} submit={confirm} danger disabled={!ready} onSubmit={onConfirm}>
      <Typography component="div">{children}</Typography>
      {typeName !== undefined && (
        <TextField
          label={t`Type “${typeName}” to confirm`}
          value={typed}
          autoFocus
          autoComplete="off"
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
    </FormDialog>
  )
}
