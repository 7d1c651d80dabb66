import { Trans } from '@lingui/react/macro'
import Typography from '@mui/material/Typography'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '../../../api/failures.ts'
import { sessionQuery, signOut, type Me } from '../../../api/session.ts'
import { paths } from '../../../paths.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/dialogs/form-error.tsx'
import { forgetSession } from '../forget.ts'
import type { Invitation } from './open-invitation.ts'
import { StepForm } from './step-form.tsx'

interface OtherPersonProps {
  me: Me
  invitation: Invitation
  onSignedOut: () => void
}

/** For a browser in which a user is signed in whom the invitation is not for. */
export function OtherPerson({ me, invitation: { email }, onSignedOut }: OtherPersonProps) {
  const client = useQueryClient()
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      client.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, user: null })
      forgetSession()
      onSignedOut()
    },
  })
  const mine = me.email
  return (
    <StepForm onSubmit={() => leave.mutate()}>
      <Typography variant="h1">
        <Trans>This invitation is for {email}</Trans>
      </Typography>
      <Typography color="textSecondary">
        <Trans>In this browser you are signed in as {mine}.</Trans>
      </Typography>
      {leave.error && <FormError>{messageOf(leave.error)}</FormError>}
      <Button type="submit" variant="contained" large loading={leave.isPending}>
        <Trans>Sign out and go on as {email}</Trans>
      </Button>
      <ButtonLink to={paths.home()}>
        <Trans>Stay signed in</Trans>
      </ButtonLink>
    </StepForm>
  )
}
