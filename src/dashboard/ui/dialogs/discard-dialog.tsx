import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'

/** Asks whether to discard unsaved changes; Escape keeps them. */
export function DiscardDialog({ onDecide }: { onDecide: (discard: boolean) => void }) {
  const titleId = useId()
  const textId = useId()
  return (
    <Dialog
      open
      role="alertdialog"
      maxWidth="xs"
      aria-labelledby={titleId}
      aria-describedby={textId}
      onClose={() => onDecide(false)}
    >
      <DialogTitle id={titleId}>{t`Discard your changes?`}</DialogTitle>
      <DialogContent id={textId}>
        <Trans>What you have changed is not saved yet and would be lost.</Trans>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" autoFocus onClick={() => onDecide(false)}>
          <Trans>Keep editing</Trans>
        </Button>
        <Button color="error" onClick={() => onDecide(true)}>
          <Trans>Discard</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  )
}
