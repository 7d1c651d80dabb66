import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { useTheme } from '@mui/material/styles'
import { Lock } from 'lucide-react'
import { Link as RouterLink } from 'react-router-dom'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { paths } from '../../paths.ts'
import { DraftChip } from '../../shared/listing/draft-chip.tsx'
import { number } from '../../ui/words/format.ts'
import { type GroupInfo, whatIs } from './group-info.ts'
import { ProtectionChips } from './protection-chips.tsx'
import { isBuiltIn } from '../../../contract/rules.ts'

interface GroupsTableProps {
  groups: readonly GroupInfo[]
  /** Only admins are told how many members a group has. */
  counted: boolean
}

/** On phones the protection is shown below the name. */
export function GroupsTable({ groups, counted }: GroupsTableProps) {
  const phone = useMediaQuery(useTheme().breakpoints.down('sm'))
  return (
    <Table size="small" aria-label={t`Groups`}>
      <TableHead>
        <TableRow>
          <TableCell>{t`Name`}</TableCell>
          {counted && (
            <TableCell align="right" sx={{ width: 96 }}>
              <Trans>Members</Trans>
            </TableCell>
          )}
          {!phone && <TableCell sx={{ width: '46%', pl: 4 }}>{t`Protection`}</TableCell>}
        </TableRow>
      </TableHead>
      <TableBody>
        {groups.map((group) => (
          <TableRow key={group.id} hover sx={{ position: 'relative', height: 46 }}>
            <TableCell>
              <NameAndKind group={group} />
              {phone && <ProtectionChips group={group} />}
            </TableCell>
            {counted && <TableCell align="right">{number(group.members_count ?? 0)}</TableCell>}
            {!phone && (
              <TableCell sx={{ pl: 4 }}>
                <ProtectionChips group={group} />
              </TableCell>
            )}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}

/** The link covers the whole row. */
function NameAndKind({ group }: { group: GroupInfo }) {
  return (
    <Box>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.75 }}>
        <Link
          component={RouterLink}
          to={paths.group(group.workspace_id, group.id)}
          color="inherit"
          underline="none"
          sx={{ fontWeight: 500, '&::after': { content: '""', position: 'absolute', inset: 0 } }}
        >
          {group.name}
        </Link>
        {isBuiltIn(group) && <Lock size={13} aria-hidden />}
        {group.is_draft && <DraftChip>{t({ message: 'Draft', context: 'group' })}</DraftChip>}
      </Box>
      {isBuiltIn(group) && (
        <Typography variant="caption" color="textSecondary">
          {whatIs(group)}
        </Typography>
      )}
    </Box>
  )
}
