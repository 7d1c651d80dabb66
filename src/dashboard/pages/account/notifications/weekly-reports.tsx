import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import type { Reply } from '../../../../contract/endpoint.ts'
import type { api } from '../../../../contract/index.ts'
import { useWeeklyReport } from '../../../shared/weekly-report.ts'
import { SwitchRow } from '../../../ui/fields/switch-row.tsx'
import { Part } from '../../../ui/part.tsx'

const SHOWN = 8

/** Which weekly reports come, of the workspaces that the user administers. */
export function WeeklyReports({ workspaces }: Pick<Reply<typeof api.notifications.get>, 'workspaces'>) {
  const [all, setAll] = useState(false)
  const choose = useWeeklyReport()
  const administered = workspaces.filter(({ weekly_report }) => weekly_report !== null)
  if (administered.length === 0) return null
  const shown = all ? administered : administered.slice(0, SHOWN)
  return (
    <Part title={t`Weekly reports`}>
      <Typography color="textSecondary" sx={{ mb: 1.5 }}>
        <Trans>
          About workspaces that you administer: what was read and by which groups, who came in for the first time, and
          what is to do. They come on Mondays at eight in the morning, unless there is nothing to tell.
        </Trans>
      </Typography>
      {shown.map(({ workspace_id, workspace_name, weekly_report, suppressed }) => (
        <SwitchRow
          key={workspace_id}
          label={workspace_name}
          text={suppressed ? t`The team sends no mails` : undefined}
          checked={weekly_report === true && !suppressed}
          disabled={suppressed}
          onChange={(wanted) => choose(workspace_id, wanted)}
        />
      ))}
      {shown.length < administered.length && (
        <Button onClick={() => setAll(true)}>
          <Trans>Show all</Trans>
        </Button>
      )}
    </Part>
  )
}
