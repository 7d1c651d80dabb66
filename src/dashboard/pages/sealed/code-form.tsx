import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../contract/index.ts'
import { call } from '../../api/client.ts'
import { ApiFailure, messageOf } from '../../api/failures.ts'
import { FormError } from '../../ui/dialogs/form-error.tsx'
import type { Waiting } from './open-sealed.tsx'
import { SignedInAs } from './signed-in-as.tsx'

/** Asks for the code of a document that could not open a window of its own. */
export function CodeForm({ onFound }: { onFound: (waiting: Waiting) => void }) {
  const [code, setCode] = useState('')
  const find = useMutation({
    mutationFn: async () => {
      const user_code = code.trim()
      const { title, ...waiting } = await call(api.sealedCopies.request, { query: { user_code } })
      return { ...waiting, entered: { user_code, title } }
    },
    onSuccess: onFound,
  })
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        find.mutate()
      }}
    >
      <Typography color="textSecondary">
        <Trans>Enter the code that the document shows. Never enter one that somebody else has given you.</Trans>
      </Typography>
      <TextField
        label={t`Code`}
        autoFocus
        autoComplete="off"
        value={code}
        onChange={(event) => setCode(event.target.value.toUpperCase())}
        slotProps={{ htmlInput: { required: true, maxLength: 12, spellCheck: false } }}
      />
      {find.error && <FormError>{wordsFor(find.error)}</FormError>}
      <Button type="submit" variant="contained" size="medium" loading={find.isPending}>
        <Trans>Continue</Trans>
      </Button>
      <SignedInAs />
    </Form>
  )
}

function wordsFor(error: unknown): string {
  if (!(error instanceof ApiFailure) || error.code !== 404) return messageOf(error)
  return notWaiting()
}

export const notWaiting = () => t`No document of yours waits for this code. Codes end after ten minutes.`

const Form = styled('form')({ display: 'grid', gap: 16 })
