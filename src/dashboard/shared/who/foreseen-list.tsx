import { Plural, Trans } from '@lingui/react/macro'
import { styled } from '@mui/material/styles'
import { User, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { nameOf } from '../people.ts'
import { type ForeseenRights, foreseenWords } from './foreseen-words.ts'

/** At most this many groups and this many people are named. */
const SHOWN = 8

/** Lists groups, then people, with the rights that each gains and loses. */
export function ForeseenList({ rights: { groups, people, is_partial } }: { rights: ForeseenRights }) {
  const moreGroups = groups.total - Math.min(groups.listed.length, SHOWN)
  const morePeople = people.total - Math.min(people.listed.length, SHOWN)
  return (
    <Frame role="status">
      <Names>
        {groups.listed.slice(0, SHOWN).map(({ group_id, group_name, ...moved }) => (
          <Line key={`group-${group_id}`} icon={<Users size={15} aria-hidden />} name={group_name} {...moved} />
        ))}
        {moreGroups > 0 && (
          <li>
            <Plural value={moreGroups} one="and # more group" other="and # more groups" />
          </li>
        )}
        {people.listed.slice(0, SHOWN).map(({ user, ...moved }) => (
          <Line key={`user-${user.id}`} icon={<User size={15} aria-hidden />} name={nameOf(user)} {...moved} />
        ))}
        {morePeople > 0 && (
          <li>
            <Plural value={morePeople} one="and # more person" other="and # more people" />
          </li>
        )}
      </Names>
      {is_partial && <Trans>There is more here than is looked at beforehand: it may be more than this.</Trans>}
    </Frame>
  )
}

type Moved = Parameters<typeof foreseenWords>[0]

function Line({ icon, name, ...moved }: Moved & { icon: ReactNode; name: string }) {
  const { gained, lost } = foreseenWords(moved)
  return (
    <Named>
      {icon}
      <div>
        <b>{name}</b>
        {gained.map((words) => (
          <div key={words}>{words}</div>
        ))}
        {lost.map((words) => (
          <Lost key={words}>{words}</Lost>
        ))}
      </div>
    </Named>
  )
}

const Frame = styled('div')(({ theme }) => ({
  maxHeight: 220,
  overflow: 'auto',
  padding: '10px 12px',
  borderRadius: 8,
  background: theme.vars.palette.selection.row,
}))
const Names = styled('ul')({ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 8 })
const Named = styled('li')(({ theme }) => ({
  display: 'flex',
  gap: 10,
  svg: { flex: 'none', marginTop: 3, color: theme.vars.palette.primary.main },
}))
const Lost = styled('div')(({ theme }) => ({ color: theme.vars.palette.error.main }))
