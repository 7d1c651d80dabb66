import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Typography from '@mui/material/Typography'
import { Part } from '../../ui/part.tsx'
import { calendarDate } from '../../ui/words/format.ts'
import type { Welcome } from './welcome-page.tsx'

/** Until when the reader has access. */
export function Access({ welcome: { access_ends_at }, admin }: { welcome: Welcome; admin: boolean }) {
  return (
    <Part title={t`Your access`}>
      <Typography>
        <Until end={access_ends_at} admin={admin} />
      </Typography>
    </Part>
  )
}

const hasCome = (day: string) => Date.parse(day) <= Date.now()

function Until({ end, admin }: { end: string | null; admin: boolean }) {
  if (admin) return <Trans>You are an admin of this room: your access has no end.</Trans>
  if (end === null) return <Trans>Your access has no end date.</Trans>
  const day = calendarDate(end)
  if (hasCome(end)) {
    return (
      <Trans>
        Your access ended on <b>{day}</b>, 00:00 UTC.
      </Trans>
    )
  }
  return (
    <Trans>
      Your access ends on <b>{day}</b>, 00:00 UTC.
    </Trans>
  )
}
