import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import { useQueryClient } from '@tanstack/react-query'
import { Clock } from 'lucide-react'
import { useLocation, useNavigate, useSearchParams, redirect, type LoaderFunctionArgs } from 'react-router-dom'
import { queryClient } from '../../api/query-client.ts'
import { useRead } from '../../api/query.ts'
import { sessionQuery, type Me } from '../../api/session.ts'
import { insideOnly } from '../../paths.ts'
import { Note } from '../../ui/states/note.tsx'
import { CodeSignIn } from './code-sign-in.tsx'
import { DemoPeople } from './demo-people.tsx'
import { forgetSession } from './forget.ts'
import { ProviderSignIn } from './provider-sign-in.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

/** A user who is already signed in goes straight on. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { user } = await queryClient.ensureQueryData(sessionQuery)
  if (user) return redirect(insideOnly(new URL(request.url).searchParams.get('to')))
  forgetSession()
  return null
}

export function SignInPage() {
  const { demo_people, oidc } = useRead(sessionQuery)
  const enter = useEnter()
  return (
    <SignInFrame>
      {useLocation().state === 'ended' && (
        <Box sx={{ mt: 2 }}>
          <Note icon={Clock}>
            <Trans>Your session has ended. Sign in to go on where you were.</Trans>
          </Note>
        </Box>
      )}
      {oidc && <ProviderSignIn name={oidc.name} />}
      <CodeSignIn second={oidc !== null} onSignedIn={enter} />
      {demo_people.length > 0 && <DemoPeople people={demo_people} onSignedIn={enter} />}
    </SignInFrame>
  )
}

/** Starts with an empty cache: the next user must not see what the last user read. */
function useEnter() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return async (user: Me) => {
    const session = client.getQueryData(sessionQuery.queryKey)
    client.clear()
    client.setQueryData(sessionQuery.queryKey, { demo_people: [], oidc: null, ...session, user, signed_out: false })
    await navigate(insideOnly(search.get('to')), { replace: true })
  }
}

export { SignInPage as Component }
