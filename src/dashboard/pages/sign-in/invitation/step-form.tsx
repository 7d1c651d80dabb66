import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

export function StepForm({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <Form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </Form>
  )
}

const Form = styled('form')({ display: 'grid', gap: 16, alignContent: 'start', overflowWrap: 'anywhere' })
