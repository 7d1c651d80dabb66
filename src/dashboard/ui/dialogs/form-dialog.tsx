import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Dialog, { type DialogProps } from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import { styled } from '@mui/material/styles'
import { useId, type ReactNode, type SubmitEvent } from 'react'
import { FormError } from './form-error.tsx'
import { useUnsavedChanges } from './use-unsaved-changes.ts'

export interface FormDialogProps {
  open: boolean
  title: string
  /** Label of the submit button, with a verb: "Create group". */
  submit: string
  /** Makes the button red, for an action that cannot simply be undone. */
  danger?: boolean
  pending?: boolean
  disabled?: boolean
  /** There is unsaved input: Escape, a click beside the dialog and Back ask before they discard it. Cancel does not. */
  unsaved?: boolean
  /** Why the form was refused; the dialog stays open with its input. */
  error?: string | undefined
  maxWidth?: DialogProps['maxWidth']
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** A dialog that is a form: Enter submits, Escape closes, a refusal is shown inside. */
export function FormDialog(props: FormDialogProps) {
  const { open, title, danger = false, pending = false, error, maxWidth = 'xs', onClose, children } = props
  const titleId = useId()
  const { mayLeave, discard } = useUnsavedChanges(open && (props.unsaved ?? false), 'dialog')
  const leave = async () => {
    if (await mayLeave()) onClose()
  }
  const cancel = () => {
    discard()
    onClose()
  }
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    // The event of a form in a portal still bubbles to the form from which the dialog was opened.
    event.stopPropagation()
    if (!pending) props.onSubmit()
  }
  return (
    <Dialog open={open} onClose={() => void leave()} maxWidth={maxWidth} aria-labelledby={titleId}>
      <Form onSubmit={onSubmit} noValidate>
        <DialogTitle id={titleId}>{title}</DialogTitle>
        <DialogContent>
          <Stack sx={{ gap: 2, pt: 0.75 }}>
            {children}
            {error && <FormError>{error}</FormError>}
          </Stack>
        </DialogContent>
        <DialogActions>
          <Button onClick={cancel}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            type="submit"
            variant="contained"
            color={danger ? 'error' : 'primary'}
            loading={pending}
            disabled={props.disabled ?? false}
          >
            {props.submit}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

/** Long content scrolls between the title and the buttons. */
const Form = styled('form')({ display: 'flex', flexDirection: 'column', minHeight: 0 })
