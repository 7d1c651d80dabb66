import { createContext, lazy, Suspense, useCallback, useContext, useMemo, useState, type ReactNode } from 'react'
import type { Toast } from './toast-view.tsx'

// Loaded with the first toast.
const ToastView = lazy(async () => ({ default: (await import('./toast-view.tsx')).ToastView }))

interface ToastApi {
  /** Reports a completed action; `undo` if the action can be undone. */
  done: (message: string, undo?: () => void) => void
  /** Reports a refused one-click action. Failures of forms and reads are shown in their own places. */
  failed: (message: string) => void
}

const ToastContext = createContext<ToastApi | undefined>(undefined)

export function useToasts(): ToastApi {
  const api = useContext(ToastContext)
  if (!api) throw new Error('useToasts needs <Toasts> above')
  return api
}

/** Shows one short notice at a time; a new notice replaces the previous one. */
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
