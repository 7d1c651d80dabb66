import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Paper from '@mui/material/Paper'
import Snackbar from '@mui/material/Snackbar'
import { styled } from '@mui/material/styles'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useState } from 'react'

export interface Toast {
  id: number
  tone: 'done' | 'failed'
  message: string
  undo: (() => void) | undefined
}

/** Pixels from the left of the window. */
const BESIDE_RAIL = 88

/** Milliseconds. */
const LASTS = { message: 5000, undo: 8000 }

export function ToastView({ toast }: { toast: Toast }) {
  const { tone, message, undo } = toast
  const [open, setOpen] = useState(true)
  const [bottom] = useState(heightOfFooters)
  const close = () => setOpen(false)
  return (
    <Snackbar
      open={open}
      autoHideDuration={undo ? LASTS.undo : LASTS.message}
      onClose={(_event, reason) => reason !== 'clickaway' && close()}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      sx={{ mb: `${bottom}px`, left: { sm: BESIDE_RAIL } }}
    >
      <Surface role={tone === 'failed' ? 'alert' : 'status'} elevation={8}>
        {tone === 'failed' ? <CircleAlert size={18} aria-hidden /> : <CircleCheck size={18} aria-hidden />}
        <span style={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>{message}</span>
        {undo && <UndoButton undo={undo} close={close} />}
        <IconButton aria-label={t`Close`} onClick={close}>
          <X size={16} />
        </IconButton>
      </Surface>
    </Snackbar>
  )
}

/** What is at the bottom of the window stays in reach. */
function heightOfFooters(): number {
  const tops = [...document.querySelectorAll('footer')]
    .map((footer) => footer.getBoundingClientRect())
    .filter(({ height, bottom }) => height > 0 && bottom > window.innerHeight - 160)
    .map(({ top }) => top)
  return window.innerHeight - Math.min(window.innerHeight, ...tops)
}

function UndoButton({ undo, close }: { undo: () => void; close: () => void }) {
  return (
    <Button
      color="inherit"
      onClick={() => {
        close()
        undo()
      }}
    >
      <Trans>Undo</Trans>
    </Button>
  )
}

/** Dark like the rail in both schemes, so that it stands out from the page. */
const Surface = styled(Paper)(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  minWidth: 280,
  maxWidth: 'min(480px, calc(100vw - 32px))',
  padding: '8px 8px 8px 14px',
  borderRadius: 10,
  background: theme.vars.palette.rail.active,
  color: theme.vars.palette.rail.text,
  fontSize: '0.8125rem',
  fontWeight: 500,
  '& > svg': { flexShrink: 0 },
}))
