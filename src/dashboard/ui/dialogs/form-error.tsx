import { lazy, Suspense, type ReactNode } from 'react'

// Loaded with the first refusal.
const Alert = lazy(() => import('@mui/material/Alert'))

/** Why a form was refused, inside the form. */
export function FormError({ children }: { children: ReactNode }) {
  return (
    <Suspense>
      <Alert severity="error" variant="outlined" sx={{ py: 0.25 }}>
        {children}
      </Alert>
    </Suspense>
  )
}
