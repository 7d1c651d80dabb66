import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Chip from '@mui/material/Chip'
import Stack from '@mui/material/Stack'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Link } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { PersonChip } from '../../shared/person-chip.tsx'
import { Time } from '../../ui/time.tsx'
import type { Member } from './member.ts'
import { RemindButton } from './remind-button.tsx'

/** On phones the groups stand below the name. */
export function PeopleTable({ people }: { people: readonly Member[] }) {
  const phone = useMediaQuery((theme) => theme.breakpoints.down('sm'))
  return (
    <Table size="small" aria-label={t`People`}>
      <TableHead>
        <TableRow>
          <TableCell>{t`Name`}</TableCell>
          {!phone && <TableCell>{t`Groups`}</TableCell>}
          {!phone && <TableCell sx={{ width: 130 }}>{t`Last active`}</TableCell>}
          <TableCell sx={{ width: 120 }} align="right">
            <Trans>Status</Trans>
          </TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {people.map((person) => (
          <TableRow key={person.id} hover sx={{ height: 48 }}>
            <TableCell sx={{ maxWidth: { xs: 190, sm: 280 } }}>
              <PersonChip person={person.user} />
              {phone && <GroupChips person={person} />}
            </TableCell>
            {!phone && (
              <TableCell>
                <GroupChips person={person} />
              </TableCell>
            )}
            {!phone && (
              <TableCell>
                <Time at={person.last_active_at} relative />
              </TableCell>
            )}
            <TableCell align="right">
              {person.status === 'invited' ? (
                <RemindButton person={person} />
              ) : (
                <Typography>{t({ message: 'Active', context: 'person' })}</Typography>
              )}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}

/** Everybody is in All Members; it is shown only where there is nothing else to show. */
function GroupChips({ person }: { person: Member }) {
  const special = person.groups.filter(({ name }) => name !== 'All Members')
  return (
    <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 0.75, my: 0.5 }}>
      {(special.length > 0 ? special : person.groups).map(({ id, name }) => (
        <Chip
          key={id}
          size="small"
          variant="outlined"
          label={name}
          clickable
          component={Link}
          to={paths.group(person.workspace_id, id)}
        />
      ))}
    </Stack>
  )
}
