import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Navigate, useLocation, useParams } from 'react-router-dom'
import { messageOf } from '../../../api/failures.ts'
import { queryClient } from '../../../api/query-client.ts'
import { useRead, useReading } from '../../../api/query.ts'
import { sessionQuery, type Me } from '../../../api/session.ts'
import { idOf, paths } from '../../../paths.ts'
import { ErrorState } from '../../../ui/states/error-state.tsx'
import { forgetSession } from '../forget.ts'
import { INVITATION, useEnter } from '../use-enter.ts'
import { CodeStep } from './code-step.tsx'
import { InvitationCard } from './invitation-card.tsx'
import { openInvitation } from './open-invitation.ts'
import { OtherPerson } from './other-person.tsx'
import { ProfileStep } from './profile-step.tsx'

export async function loader() {
  const { user } = await queryClient.ensureQueryData(sessionQuery)
  if (!user) forgetSession()
  return null
}

/** The sign-in for the holder of an invitation. Only the secret in the fragment of the address tells whom it is for. */
export function InvitationPage() {
  const workspaceId = idOf(useParams()['workspaceId'])
  const secret = useLocation().hash.slice(1)
  const { user } = useRead(sessionQuery)
  /** The user who was signed in when the link was opened. */
  const [first, setFirst] = useState(user)
  const opening = useReading({
    queryKey: [INVITATION, workspaceId, secret, first?.id ?? 0],
    queryFn: () => openInvitation({ workspaceId, secret }, first),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const room = paths.welcome(workspaceId)
  const [me, setMe] = useState<Me>()
  const enter = useEnter(room)
  if (!opening.data) {
    return (
      <InvitationCard title={t`Invitation`}>
        {opening.error && <ErrorState message={messageOf(opening.error)} onRetry={() => void opening.refetch()} />}
      </InvitationCard>
    )
  }
  const { invitation, code } = opening.data
  const own = me ?? (first && (!invitation || isSame(first.email, invitation.email)) ? first : undefined)
  if (own) {
    if (!own.profile_due || !invitation) return <Navigate to={room} replace />
    return (
      <InvitationCard title={t`About you`} invitation={invitation}>
        <ProfileStep me={own} onDone={enter} />
      </InvitationCard>
    )
  }
  if (!invitation) return <Navigate to={paths.signIn(room)} replace state="uninvited" />
  return (
    <InvitationCard title={t`Sign in`} invitation={invitation}>
      {first && <OtherPerson me={first} invitation={invitation} onSignedOut={() => setFirst(null)} />}
      {code && (
        <CodeStep
          invitation={invitation}
          first={code}
          onSignedIn={(user) => (user.profile_due ? setMe(user) : void enter(user))}
        />
      )}
    </InvitationCard>
  )
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

export { InvitationPage as Component }
