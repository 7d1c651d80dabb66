import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { number } from '../../ui/words/format.ts'
import type { SystemInfo } from './system-page.tsx'
import { duration } from './duration.ts'
import { EdgeTable } from './edge-table.tsx'

const KINDS: Record<string, MessageDescriptor> = {
  mail: msg`Mails`,
  email_code: msg`Codes for new addresses`,
  expert_mail: msg`Mails to experts`,
  open_drafts: msg`Planned publishing`,
  examine: msg`Examinations`,
  zip: msg`Zips`,
  ingest: msg`Documents`,
}

export function JobsTable({ jobs }: Pick<SystemInfo, 'jobs'>) {
  return (
    <EdgeTable size="small" aria-label={t`Queue`} sx={{ fontVariantNumeric: 'tabular-nums' }}>
      <TableHead>
        <TableRow>
          <TableCell>{t`Jobs`}</TableCell>
          <TableCell align="right">{t({ message: 'Open', context: 'jobs' })}</TableCell>
          <TableCell align="right">{t`Longest wait`}</TableCell>
          <TableCell align="right">{t`Failed`}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {jobs.map(({ kind, waiting, failed, oldest_seconds }) => (
          <TableRow key={kind}>
            <TableCell>{KINDS[kind] ? i18n._(KINDS[kind]) : kind}</TableCell>
            <TableCell align="right">{number(waiting)}</TableCell>
            <TableCell align="right">{oldest_seconds > 0 ? duration(oldest_seconds) : '–'}</TableCell>
            <TableCell align="right">
              <Typography component="span" color={failed > 0 ? 'error' : undefined}>
                {number(failed)}
              </Typography>
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </EdgeTable>
  )
}
