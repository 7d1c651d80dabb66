import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { Button } from '../../ui/button.tsx'
import { paths } from '../../paths.ts'
import { calendarDate, number } from '../../ui/words/format.ts'
import { AsideSection, Entries } from './aside.tsx'
import { daysUntil } from './latest.ts'
import type { Expiration } from './news.ts'

const FIRST = 5

/** Access and sealed documents that end within the month. Hidden if nothing ends. */
export function ExpiringSoon({ expirations }: { expirations: readonly Expiration[] }) {
  const [all, setAll] = useState(false)
  if (expirations.length === 0) return null
  const shown = all ? expirations : expirations.slice(0, FIRST)
  const total = number(expirations.length)
  return (
    <AsideSection title={t`Expiring soon`}>
      <Entries>
        {shown.map((expiration) => (
          <li key={[expiration.group_id, expiration.kind].join()}>
            <Typography sx={{ lineHeight: 1.4 }}>
              <What expiration={expiration} />
            </Typography>
            <Typography variant="caption" color="textSecondary">
              {daysUntil(expiration.date)} · <ToWorkspace expiration={expiration} />
            </Typography>
          </li>
        ))}
      </Entries>
      {shown.length < expirations.length && (
        <Button fullWidth onClick={() => setAll(true)}>{t`Show all ${total}`}</Button>
      )}
    </AsideSection>
  )
}

function What({ expiration: { workspace_id, group_id, group_name, kind, date } }: { expiration: Expiration }) {
  const day = calendarDate(date)
  const group = (
    <Link to={paths.group(workspace_id, group_id)}>
      <strong>{group_name}</strong>
    </Link>
  )
  return kind === 'access' ? (
    <Trans>
      Access of {group} ends on {day}
    </Trans>
  ) : (
    <Trans>
      Sealed documents of {group} open for the last time on {day}
    </Trans>
  )
}

function ToWorkspace({ expiration: { workspace_id, workspace_name } }: { expiration: Expiration }) {
  return <Link to={paths.workspace(workspace_id)}>{workspace_name}</Link>
}
