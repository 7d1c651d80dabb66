import { Trans } from '@lingui/react/macro'
import Typography from '@mui/material/Typography'
import type { Me } from '../../../api/session.ts'
import { paths } from '../../../paths.ts'
import { useSignOut } from '../../../shared/use-sign-out.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { forgetSession } from '../forget.ts'
import type { Invitation } from './open-invitation.ts'
import { StepForm } from './step-form.tsx'

interface OtherPersonProps {
  me: Me
  invitation: Invitation
  onSignedOut: () => void
}

/** Shown when the signed-in user is not the invited user. */
export function OtherPerson({ me, invitation: { email }, onSignedOut }: OtherPersonProps) {
  const leave = useSignOut(() => {
    forgetSession()
    onSignedOut()
  })
  const mine = me.email
  return (
    <StepForm onSubmit={() => void leave()}>
      <Typography variant="h1">
        <Trans>This invitation is for {email}</Trans>
      </Typography>
      <Typography color="textSecondary">
        <Trans>In this browser you are signed in as {mine}.</Trans>
      </Typography>
      <Button type="submit" variant="contained" large>
        <Trans>Sign out and go on as {email}</Trans>
      </Button>
      <ButtonLink to={paths.home()}>
        <Trans>Stay signed in</Trans>
      </ButtonLink>
    </StepForm>
  )
}
