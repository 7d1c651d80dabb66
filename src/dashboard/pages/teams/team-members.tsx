import { t } from '@lingui/core/macro'
import Chip from '@mui/material/Chip'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import Tooltip from '@mui/material/Tooltip'
import { UserMinus } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import type { User } from '../../api/session.ts'
import { nameOf } from '../../shared/people.ts'
import { PersonChip } from '../../shared/person-chip.tsx'
import { naturally } from '../../ui/words/format.ts'
import { AddTeamMemberForm } from './add-team-member-form.tsx'
import { RemoveTeamMemberDialog } from './remove-team-member-dialog.tsx'
import { type TeamInfo, teamMembersQuery } from './team-info.ts'

/** For members of the team. The owner comes first. */
export function TeamMembers({ team }: { team: TeamInfo }) {
  const { memberships } = useRead(teamMembersQuery(team.id))
  const [leaving, setLeaving] = useState<User>()
  const isOwner = ({ id }: User) => id === team.team_owner_id
  const users = memberships
    .map(({ user }) => user)
    .toSorted((a, b) => Number(isOwner(b)) - Number(isOwner(a)) || naturally(nameOf(a), nameOf(b)))
  return (
    <>
      <AddTeamMemberForm team={team} memberIds={new Set(users.map(({ id }) => id))} />
      <List aria-label={t`Members`}>
        {users.map((user) => (
          <li key={user.id}>
            <PersonChip person={user} />
            <span className="end">
              {user.status === 'invited' && <Chip size="small" variant="outlined" label={t`Not yet here`} />}
              {isOwner(user) ? <OwnerMark /> : <RemoveButton user={user} onClick={() => setLeaving(user)} />}
            </span>
          </li>
        ))}
      </List>
      {leaving && <RemoveTeamMemberDialog team={team} user={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  )
}

function OwnerMark() {
  return (
    <Tooltip title={t`The owner stays a member; the team can be handed over first`}>
      <Chip size="small" label={t`Owner`} tabIndex={0} />
    </Tooltip>
  )
}

function RemoveButton({ user, onClick }: { user: User; onClick: () => void }) {
  const name = nameOf(user)
  return (
    <Tooltip title={t`Remove from the team`}>
      <IconButton aria-label={t`Remove ${name}`} onClick={onClick}>
        <UserMinus size={16} />
      </IconButton>
    </Tooltip>
  )
}

const List = styled('ul')(({ theme }) => ({
  margin: '12px 0 0',
  padding: 0,
  listStyle: 'none',
  li: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: 12,
    minHeight: 46,
    borderTop: `1px solid ${theme.vars.palette.divider}`,
  },
  '.end': { display: 'flex', flex: 'none', alignItems: 'center', gap: 8 },
}))
