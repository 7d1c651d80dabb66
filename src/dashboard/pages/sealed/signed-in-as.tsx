import { Trans } from '@lingui/react/macro'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router-dom'
import { messageOf } from '../../api/failures.ts'
import { signOut } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { nameOf } from '../../shared/people.ts'
import { useSession } from '../../shared/session.ts'

/** Says who is signed in, and offers to sign in as somebody else. */
export function SignedInAs() {
  const { user } = useSession()
  const name = user && nameOf(user)
  const change = useSwitch()
  return (
    <Typography variant="body2" color="textSecondary">
      {name && <Trans>Signed in as {name}.</Trans>}{' '}
      <Link
        component="button"
        type="button"
        variant="body2"
        disabled={change.isPending}
        onClick={() => change.mutate()}
      >
        <Trans>Sign in as somebody else</Trans>
      </Link>
      {change.error && ` ${messageOf(change.error)}`}
    </Typography>
  )
}

/** Signs out, and comes back here after the next sign-in. */
function useSwitch() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      client.clear()
      await navigate(paths.signIn(pathname + search))
    },
  })
}
