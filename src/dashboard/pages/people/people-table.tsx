import { t } from '@lingui/core/macro'
import Chip from '@mui/material/Chip'
import Stack from '@mui/material/Stack'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import TableSortLabel from '@mui/material/TableSortLabel'
import Typography from '@mui/material/Typography'
import { useTheme } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { paths } from '../../paths.ts'
import { nameOf } from '../../shared/people.ts'
import { PersonChip } from '../../shared/person-chip.tsx'
import { ViewAsLink } from '../../shared/view-as/view-as-link.tsx'
import { Time } from '../../ui/words/time.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { ChangedName } from './changed-name.tsx'
import type { Member } from './member.ts'
import type { PeopleSort } from './people-sort.ts'
import { PersonMenu } from './person-menu.tsx'
import { RemindButton } from './remind-button.tsx'

interface PeopleTableProps {
  people: readonly Member[]
  sort: PeopleSort
  onSort: (column: PeopleSort['column']) => void
  onRemove: (person: Member) => void
}

/** On phones and in half a window, the groups are below the name, and the last activity is below the status. */
export function PeopleTable({ people, sort, onSort, onRemove }: PeopleTableProps) {
  const narrow = useMediaQuery(useTheme().breakpoints.down('md'))
  const by = (column: PeopleSort['column'], label: string) => (
    <SortedBy column={column} sort={sort} onSort={onSort}>
      {label}
    </SortedBy>
  )
  return (
    <Table size="small" aria-label={t`People`}>
      <TableHead>
        <TableRow>
          <TableCell aria-sort={ariaSort('name', sort)}>{by('name', t`Name`)}</TableCell>
          {!narrow && <TableCell>{t`Groups`}</TableCell>}
          {!narrow && (
            <TableCell aria-sort={ariaSort('active', sort)} sx={{ width: 140 }}>
              {by('active', t`Last active`)}
            </TableCell>
          )}
          <TableCell aria-sort={ariaSort('status', sort)} sx={{ width: { xs: 100, sm: 210 } }} align="right">
            {by('status', t`Status`)}
          </TableCell>
          <TableCell sx={{ width: narrow ? 52 : 84, pl: 0 }}>
            <VisuallyHidden>{t`Actions`}</VisuallyHidden>
          </TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {people.map((person) => (
          <TableRow key={person.id} hover sx={{ height: 48 }}>
            <TableCell sx={{ maxWidth: { xs: 150, sm: 280 } }}>
              <PersonChip person={person.user} />
              <Position person={person} />
              <ChangedName person={person} />
              {narrow && <GroupChips person={person} />}
            </TableCell>
            {!narrow && (
              <TableCell>
                <GroupChips person={person} />
              </TableCell>
            )}
            {!narrow && (
              <TableCell>
                <Time at={person.last_active_at} relative />
              </TableCell>
            )}
            <TableCell align="right">
              <Status person={person} />
              {person.mail_refused && (
                <Typography variant="caption" color="error" component="p">
                  {t`Mail refused`}
                </Typography>
              )}
              {narrow && person.last_active_at && (
                <Typography variant="caption" color="textSecondary">
                  <Time at={person.last_active_at} relative />
                </Typography>
              )}
            </TableCell>
            <TableCell sx={{ pl: 0 }} align="right">
              <Stack direction="row" sx={{ justifyContent: 'flex-end' }}>
                {!narrow && (
                  <ViewAsLink
                    to={paths.viewAs(person.workspace_id, { user: person.user.id })}
                    name={nameOf(person.user)}
                  />
                )}
                <PersonMenu person={person} onRemove={() => onRemove(person)} />
              </Stack>
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}

function Position({ person: { user } }: { person: Member }) {
  const words = [user.title, user.company].filter((each) => each !== '').join(', ')
  if (words === '') return null
  return (
    <Typography
      variant="caption"
      color="textSecondary"
      component="p"
      noWrap
      title={words}
      sx={{ pl: 4.75, whiteSpace: { sm: 'normal' } }}
    >
      {words}
    </Typography>
  )
}

function Status({ person }: { person: Member }) {
  if (person.invitation_state !== 'arrived') return <RemindButton person={person} />
  return <Typography>{t({ message: 'Active', context: 'person' })}</Typography>
}

interface SortedByProps {
  column: PeopleSort['column']
  sort: PeopleSort
  onSort: (column: PeopleSort['column']) => void
  children: ReactNode
}

function SortedBy({ column, sort, onSort, children }: SortedByProps) {
  return (
    <TableSortLabel
      active={sort.column === column}
      direction={directionOf(column, sort)}
      onClick={() => onSort(column)}
    >
      {children}
    </TableSortLabel>
  )
}

/** Names ascend by default. The other columns descend: the latest activity and invited users come first. */
const directionOf = (column: PeopleSort['column'], sort: PeopleSort) =>
  (column === 'name') === (sort.column === column && sort.reversed) ? 'desc' : 'asc'

const ariaSort = (column: PeopleSort['column'], sort: PeopleSort) =>
  sort.column !== column ? undefined : directionOf(column, sort) === 'asc' ? 'ascending' : 'descending'

/** Everyone is in All Members, so it is shown only if there is no other group. */
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
