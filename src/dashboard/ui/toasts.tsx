import { createContext, lazy, Suspense, useCallback, useContext, useMemo, useState, type ReactNode } from 'react'
import type { Toast } from './toast-view.tsx'

// Its code is loaded with the first toast.
const ToastView = lazy(async () => ({ default: (await import('./toast-view.tsx')).ToastView }))

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
  const show = useCallback((tone: Toast['tone'], message: string, undo?: () => void) => {
    setToast((before) => ({ id: (before?.id ?? 0) + 1, tone, message, undo }))
  }, [])
  const api = useMemo<ToastApi>(
    () => ({
      done: (message, undo) => show('done', message, undo),
      failed: (message) => show('failed', message),
    }),
    [show],
  )
  return (
    <ToastContext value={api}>
      {children}
      <Suspense>{toast && <ToastView key={toast.id} toast={toast} />}</Suspense>
    </ToastContext>
  )
}
