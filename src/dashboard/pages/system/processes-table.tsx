import { t } from '@lingui/core/macro'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { Time } from '../../ui/words/time.tsx'
import { EdgeTable } from './edge-table.tsx'
import type { SystemInfo } from './system-page.tsx'

/** Services and workers note themselves every minute; those that end in order vanish at once. */
export function ProcessesTable({ processes }: Pick<SystemInfo, 'processes'>) {
  return (
    <EdgeTable size="small" aria-label={t`Processes`}>
      <TableHead>
        <TableRow>
          <TableCell>{t`Process`}</TableCell>
          <TableCell>{t`Since`}</TableCell>
          <TableCell align="right">{t`Last seen`}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {processes.map((each) => (
          <TableRow key={each.kind + each.host + each.started_at}>
            <TableCell sx={{ overflowWrap: 'anywhere' }}>
              {each.kind === 'worker' ? t`Worker` : t`Service`}
              <Typography variant="caption" color="textSecondary" component="p" translate="no">
                {each.host} · {each.version} · Node.js {each.node}
              </Typography>
            </TableCell>
            <TableCell>
              <Time at={each.started_at} />
            </TableCell>
            <TableCell align="right">
              <Typography component="span" color={each.running ? undefined : 'warning'}>
                <Time at={each.seen_at} relative />
              </Typography>
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </EdgeTable>
  )
}
