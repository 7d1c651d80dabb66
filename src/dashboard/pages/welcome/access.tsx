import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Chip from '@mui/material/Chip'
import Typography from '@mui/material/Typography'
import { Part } from '../../ui/part.tsx'
import { calendarDate, number } from '../../ui/words/format.ts'
import type { Welcome } from './welcome-page.tsx'

/** Until when the reader has access, and to what. */
export function Access({ welcome: { access_ends_at, reading }, admin }: { welcome: Welcome; admin: boolean }) {
  return (
    <Part title={t`Your access`} action={!admin && access_ends_at !== null && <Left end={access_ends_at} />}>
      <Typography>
        <Until end={access_ends_at} admin={admin} />
      </Typography>
      {reading && reading.viewable > 0 && <Typography color="textSecondary">{mayWords(reading)}</Typography>}
    </Part>
  )
}

/** "You may view 186 documents and download 121 of them." */
function mayWords({ viewable, downloadable }: NonNullable<Welcome['reading']>): string {
  const documents = plural(viewable, { one: '# document', other: '# documents' })
  if (downloadable === 0) return t`You may view ${documents}.`
  if (downloadable === viewable) return t`You may view and download ${documents}.`
  const some = number(downloadable)
  return t`You may view ${documents} and download ${some} of them.`
}

const DAY_MS = 86_400_000
const SOON_DAYS = 7

const daysUntil = (end: string) => Math.ceil((Date.parse(end) - Date.now()) / DAY_MS)

/** The days that are left, if any are. */
function Left({ end }: { end: string }) {
  const days = daysUntil(end)
  if (days <= 0) return null
  const words = plural(days, { one: '# day left', other: '# days left' })
  return <Chip size="small" label={words} color={days <= SOON_DAYS ? 'warning' : 'default'} variant="outlined" />
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
