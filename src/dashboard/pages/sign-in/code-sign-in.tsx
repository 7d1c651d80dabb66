import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useMutation } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { messageOf } from '../../api/failures.ts'
import { requestCode, signIn, type Me } from '../../api/session.ts'
import { FormError } from '../../ui/dialogs/form-error.tsx'
import { Field } from './field.tsx'
import { refusalOfCode } from './refusal-of-code.ts'

interface CodeSignInProps {
  /** Whether another way to sign in is shown above. */
  second: boolean
  onSignedIn: (user: Me) => void
}

/** Signs in in two steps: the address, then the code that was sent to it. */
export function CodeSignIn({ second, onSignedIn }: CodeSignInProps) {
  const [email, setEmail] = useState('')
  const send = useMutation({ mutationFn: requestCode })
  if (send.isSuccess) return <CodeStep email={email} onSignedIn={onSignedIn} onOtherAddress={send.reset} />
  return (
    <Form onSubmit={submit(() => send.mutate(email))}>
      <Typography color="textSecondary">
        <Trans>We send a code to your e-mail address. No password is needed.</Trans>
      </Typography>
      <Field
        label={t`E-mail address`}
        type="email"
        name="email"
        autoComplete="email"
        autoFocus
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        inputProps={{ required: true }}
      />
      {send.error && <FormError>{messageOf(send.error)}</FormError>}
      <Button type="submit" variant={second ? 'outlined' : 'contained'} large loading={send.isPending}>
        <Trans>Send the code</Trans>
      </Button>
    </Form>
  )
}

interface CodeStepProps extends Pick<CodeSignInProps, 'onSignedIn'> {
  email: string
  onOtherAddress: () => void
}

function CodeStep({ email, onSignedIn, onOtherAddress }: CodeStepProps) {
  const [code, setCode] = useState('')
  const enter = useMutation({ mutationFn: () => signIn(email, code.trim()), onSuccess: ({ user }) => onSignedIn(user) })
  return (
    <Form onSubmit={submit(() => enter.mutate())}>
      <Typography color="textSecondary">
        <Trans>
          If <strong>{email}</strong> is known here, a code is on its way to it. Enter it in this browser, wherever you
          read the mail: it works in no other.
        </Trans>
      </Typography>
      <Field
        label={t`Code`}
        name="code"
        autoComplete="one-time-code"
        autoFocus
        value={code}
        onChange={(event) => setCode(event.target.value)}
        inputProps={{ required: true, inputMode: 'numeric', maxLength: 12, spellCheck: false }}
      />
      {enter.error && <FormError>{refusalOfCode(enter.error)}</FormError>}
      <Button type="submit" variant="contained" large loading={enter.isPending}>
        <Trans>Sign in</Trans>
      </Button>
      <Button onClick={onOtherAddress}>
        <Trans>Use another address</Trans>
      </Button>
    </Form>
  )
}

const submit = (action: () => void) => (event: SubmitEvent<HTMLFormElement>) => {
  event.preventDefault()
  action()
}

const Form = styled('form')({ display: 'grid', gap: 16, marginTop: 8 })
