import Alert from '@mui/material/Alert'
import type { ReactNode } from 'react'

/** Why a form was refused, inside the form. */
export function FormError({ children }: { children: ReactNode }) {
  return (
    <Alert severity="error" variant="outlined" sx={{ py: 0.25 }}>
      {children}
    </Alert>
  )
}
