import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import { useQueryClient } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { type Me, sessionQuery } from '../../api/session.ts'
import { FormError } from '../../ui/dialogs/form-error.tsx'
import { Note } from '../../ui/states/note.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'

/** The new address that waits for its code, with buttons to confirm it, to send another code and to cancel. */
export function PendingEmail({ me }: { me: Me }) {
  return me.pending_email === null ? null : <Pending key={me.pending_email} email={me.pending_email} />
}

function Pending({ email }: { email: string }) {
  const [code, setCode] = useState('')
  const { confirm, resend, cancel } = useEmailChange(email)
  const error = confirm.error ?? resend.error ?? cancel.error
  const isBusy = confirm.isPending || resend.isPending || cancel.isPending
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (code.trim() !== '' && !isBusy) confirm.mutate({ body: { code: code.trim() } })
  }
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 1.5, mb: 3 }}>
      <Note icon={MailCheck}>
        <Trans>
          We sent a mail to <strong>{email}</strong>. It becomes your address once you enter the code from that mail.
          All your other sessions end then.
        </Trans>
      </Note>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <TextField
          label={t`Code`}
          value={code}
          autoComplete="one-time-code"
          onChange={(event) => setCode(event.target.value)}
          slotProps={{ htmlInput: { inputMode: 'numeric', maxLength: 12, spellCheck: false } }}
          sx={{ width: 140 }}
        />
        <Button type="submit" variant="contained" loading={confirm.isPending} disabled={code.trim() === '' || isBusy}>
          <Trans>Confirm</Trans>
        </Button>
        <Button loading={resend.isPending} disabled={isBusy} onClick={() => resend.mutate({})}>
          <Trans>Send another code</Trans>
        </Button>
        <Button loading={cancel.isPending} disabled={isBusy} onClick={() => cancel.mutate({})}>
          <Trans>Keep the present address</Trans>
        </Button>
      </Box>
      {error && <FormError>{messageOf(error)}</FormError>}
    </Box>
  )
}

/** Invalidates the session after each change, because the session contains the account. */
function useEmailChange(email: string) {
  const toasts = useToasts()
  const client = useQueryClient()
  const saying = (words: () => string) => ({
    onDone: async () => {
      await client.invalidateQueries(sessionQuery)
      toasts.done(words())
    },
  })
  return {
    confirm: useAction(
      api.users.confirmEmail,
      saying(() => t`Your address is ${email} now`),
    ),
    resend: useAction(
      api.users.resendEmailCode,
      saying(() => t`Another mail is on its way to ${email}`),
    ),
    cancel: useAction(
      api.users.cancelEmailChange,
      saying(() => t`Your address stays as it is`),
    ),
  }
}
