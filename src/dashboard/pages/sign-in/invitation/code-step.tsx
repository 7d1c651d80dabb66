import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Typography from '@mui/material/Typography'
import { useMutation } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useId, useState } from 'react'
import { messageOf } from '../../../api/failures.ts'
import { signIn, type Me } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/dialogs/form-error.tsx'
import { Note } from '../../../ui/states/note.tsx'
import { timeOfDay } from '../../../ui/words/format.ts'
import { refusalOfCode } from '../refusal-of-code.ts'
import { CodeField } from './code-field.tsx'
import { sendCode, type Invitation, type SentCode } from './open-invitation.ts'
import { StepForm } from './step-form.tsx'

const VALID_MS = 10 * 60_000
const DIGITS = /^\d{6}$/

interface CodeStepProps {
  invitation: Invitation
  /** The code that was sent when the link was opened. */
  first: SentCode
  onSignedIn: (user: Me) => void
}

export function CodeStep({ invitation: { email }, first, onSignedIn }: CodeStepProps) {
  const [code, setCode] = useState('')
  const again = useMutation({ mutationFn: () => sendCode(email) })
  const enter = useMutation({
    mutationFn: (code: string) => signIn(email, code),
    onSuccess: ({ user }) => onSignedIn(user),
  })
  const sent = again.data ?? first
  const hintId = useId()
  const enterWith = (code: string) => {
    if (DIGITS.test(code) && !enter.isPending && !enter.isSuccess) enter.mutate(code)
  }
  const take = (digits: string) => {
    setCode(digits)
    // A seventh digit changes nothing, so it does not try the same code again.
    if (digits !== code) enterWith(digits)
  }
  return (
    <StepForm onSubmit={() => enterWith(code)}>
      <div>
        <Typography variant="h1">
          <Trans>Sign in as {email}</Trans>
        </Typography>
        <Typography color="textSecondary" sx={{ mt: 0.5 }}>
          {sent.failure === undefined ? (
            <Trans>The invitation is for this address. We sent it a code of six digits; no password is needed.</Trans>
          ) : (
            <Trans>The invitation is for this address. It needs a code of six digits; no password is needed.</Trans>
          )}
        </Typography>
      </div>
      <div>
        <CodeField label={t`Code from the e-mail`} describedBy={hintId} value={code} onChange={take} />
        <Typography variant="caption" color="textSecondary" component="p" sx={{ mt: 1 }}>
          <span id={hintId}>
            <span>
              <Sent sent={sent} />
            </span>{' '}
            <Trans>The sixth digit signs you in.</Trans>
          </span>{' '}
          <Button loading={again.isPending} onClick={() => again.mutate()}>
            <Trans>Send a new one</Trans>
          </Button>
        </Typography>
      </div>
      {sent.failure !== undefined && <FormError>{messageOf(sent.failure)}</FormError>}
      {enter.error && <FormError>{refusalOfCode(enter.error)}</FormError>}
      <Button type="submit" variant="contained" large loading={enter.isPending} disabled={!DIGITS.test(code)}>
        <Trans>Sign in</Trans>
      </Button>
      <Note icon={ShieldCheck}>
        <Trans>The link in the invitation works only together with this mailbox. Passing it on lets nobody in.</Trans>
      </Note>
    </StepForm>
  )
}

function Sent({ sent: { at, failure } }: { sent: SentCode }) {
  if (failure !== undefined) return <Trans>No code is on its way.</Trans>
  const until = timeOfDay(new Date(at.getTime() + VALID_MS).toISOString())
  return <Trans>Valid until {until}.</Trans>
}
