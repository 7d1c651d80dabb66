import { t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import Tooltip from '@mui/material/Tooltip'
import { UserMinus } from 'lucide-react'
import { useState } from 'react'
import type { User } from '../../../api/session.ts'
import { nameOf } from '../../../shared/people.ts'
import { InvitationChip, type InvitationState } from '../../../shared/inviting/invitation-chip.tsx'
import { PersonChip } from '../../../shared/person-chip.tsx'
import { number } from '../../../ui/words/format.ts'

interface MembersListProps {
  members: readonly User[]
  /** By the ids of users; absent while it is read. */
  states: ReadonlyMap<number, InvitationState>
  onRemove: (member: User) => void
}

/** Rows drawn at first. Thousands would be slow to draw, and such a list is searched rather than read. */
const FIRST_ROWS = 200

export function MembersList({ members, states, onRemove }: MembersListProps) {
  const [all, setAll] = useState(false)
  const shown = all ? members : members.slice(0, FIRST_ROWS)
  const total = number(members.length)
  return (
    <>
      <List aria-label={t`Members`}>
        {shown.map((member) => (
          <li key={member.id}>
            <PersonChip person={member} />
            <span className="end">
              <InvitationChip state={states.get(member.id)} />
              <RemoveButton name={nameOf(member)} onClick={() => onRemove(member)} />
            </span>
          </li>
        ))}
      </List>
      {shown.length < members.length && <Button onClick={() => setAll(true)}>{t`Show all ${total}`}</Button>}
    </>
  )
}

function RemoveButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <Tooltip title={t`Remove from the group`}>
      <IconButton aria-label={t`Remove ${name}`} onClick={onClick}>
        <UserMinus size={16} />
      </IconButton>
    </Tooltip>
  )
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
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
  '.end': { display: 'flex', alignItems: 'center', gap: 8 },
}))
