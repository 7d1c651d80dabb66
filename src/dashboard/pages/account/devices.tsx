import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { useState } from 'react'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { read, useAction, useRead } from '../../api/query.ts'
import { Part } from '../../ui/part.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import { deviceName } from './device-name.ts'
import { DevicesTable } from './devices-table.tsx'
import { SignOutElsewhereDialog } from './sign-out-elsewhere-dialog.tsx'

export type Session = Reply<typeof api.sessions.list>['sessions'][number]

export const sessionsQuery = () => read(api.sessions.list)

/** The user's sessions. A session that the user does not recognize can be ended here. */
export function Devices() {
  const { sessions } = useRead(sessionsQuery())
  const [asking, setAsking] = useState(false)
  const signOut = useSignOutOf()
  const elsewhere = sessions.filter(({ current }) => !current)
  return (
    <Part
      title={t`Signed-in devices`}
      action={
        elsewhere.length > 0 && (
          <Button variant="outlined" onClick={() => setAsking(true)}>
            <Trans>Sign out everywhere else</Trans>
          </Button>
        )
      }
    >
      <DevicesTable sessions={sessions} onSignOut={signOut} />
      {asking && <SignOutElsewhereDialog sessions={elsewhere} onClose={() => setAsking(false)} />}
    </Part>
  )
}

function useSignOutOf() {
  const toasts = useToasts()
  const remove = useAction(api.sessions.remove, {
    optimistic: ({ params }, foresee) =>
      foresee(sessionsQuery(), ({ sessions }) => ({ sessions: sessions.filter(({ id }) => id !== params.id) })),
  })
  return ({ id, user_agent }: Session) => {
    const device = deviceName(user_agent)
    remove.mutate(
      { params: { id } },
      {
        onSuccess: () => toasts.done(t`${device} is signed out`),
        onError: (error) => toasts.failed(messageOf(error)),
      },
    )
  }
}
