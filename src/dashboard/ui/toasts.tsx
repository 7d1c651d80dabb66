import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Snackbar from '@mui/material/Snackbar'
import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react'

interface Toast {
  id: number
  tone: 'done' | 'failed'
  message: string
  undo: (() => void) | undefined
}

interface ToastApi {
  /** Something was done; `undo` where it can be taken back. */
  done: (message: string, undo?: () => void) => void
  /** A one-click action was refused. Failures of forms and reads have places of their own. */
  failed: (message: string) => void
}

const ToastContext = createContext<ToastApi | undefined>(undefined)

export function useToasts(): ToastApi {
  const api = useContext(ToastContext)
  if (!api) throw new Error('useToasts needs <Toasts> above')
  return api
}

/** One short notice at a time; a newer one takes the place of an older. */
export function Toasts({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast>()
  const [open, setOpen] = useState(false)
  const show = useCallback((tone: Toast['tone'], message: string, undo?: () => void) => {
    setToast((before) => ({ id: (before?.id ?? 0) + 1, tone, message, undo }))
    setOpen(true)
  }, [])
  const api = useMemo<ToastApi>(
    () => ({
      done: (message, undo) => show('done', message, undo),
      failed: (message) => show('failed', message),
    }),
    [show],
  )
  const close = () => setOpen(false)
  return (
    <ToastContext value={api}>
      {children}
      <Snackbar
        key={toast?.id}
        open={open}
        autoHideDuration={toast?.undo ? 8000 : 5000}
        onClose={(_event, reason) => reason !== 'clickaway' && close()}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      >
        <Alert
          variant="filled"
          icon={false}
          severity={toast?.tone === 'failed' ? 'error' : 'info'}
          onClose={close}
          action={toast?.undo && <UndoButton undo={toast.undo} close={close} />}
        >
          {toast?.message}
        </Alert>
      </Snackbar>
    </ToastContext>
  )
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
      Undo
    </Button>
  )
}
