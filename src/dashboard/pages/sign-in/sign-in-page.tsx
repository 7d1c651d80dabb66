import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import { Clock, MailX } from 'lucide-react'
import { useLocation, useSearchParams, redirect, type LoaderFunctionArgs } from 'react-router-dom'
import { queryClient } from '../../api/query-client.ts'
import { useRead } from '../../api/query.ts'
import { sessionQuery } from '../../api/session.ts'
import { insideOnly } from '../../paths.ts'
import { Note } from '../../ui/states/note.tsx'
import { CodeSignIn } from './code-sign-in.tsx'
import { DemoPeople } from './demo-people.tsx'
import { forgetSession } from './forget.ts'
import { ProviderSignIn } from './provider-sign-in.tsx'
import { SignInFrame } from './sign-in-frame.tsx'
import { useEnter } from './use-enter.ts'

/** A user who is already signed in goes straight on. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { user } = await queryClient.ensureQueryData(sessionQuery)
  if (user) return redirect(insideOnly(new URL(request.url).searchParams.get('to')))
  forgetSession()
  return null
}

export function SignInPage() {
  const { demo_people, oidc } = useRead(sessionQuery)
  const [search] = useSearchParams()
  const enter = useEnter(insideOnly(search.get('to')))
  return (
    <SignInFrame>
      <WhyHere />
      {oidc && <ProviderSignIn name={oidc.name} />}
      <CodeSignIn second={oidc !== null} onSignedIn={enter} />
      {demo_people.length > 0 && <DemoPeople people={demo_people} onSignedIn={enter} />}
    </SignInFrame>
  )
}

function WhyHere() {
  const { state } = useLocation()
  if (state !== 'ended' && state !== 'uninvited') return null
  return (
    <Box sx={{ my: 2 }}>
      <Note icon={state === 'ended' ? Clock : MailX}>
        {state === 'ended' ? (
          <Trans>Your session has ended. Sign in to go on where you were.</Trans>
        ) : (
          <Trans>The link of this invitation is no longer valid. If you are invited, your address lets you in.</Trans>
        )}
      </Note>
    </Box>
  )
}

export { SignInPage as Component }
