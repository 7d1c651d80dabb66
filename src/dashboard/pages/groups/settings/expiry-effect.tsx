import { plural, t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { messageOf } from '../../../api/failures.ts'
import { nameOf } from '../../../shared/people.ts'
import { calendarDate, number } from '../../../ui/words/format.ts'
import { NotRead } from '../../../ui/states/not-read.tsx'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import type { GroupInfo } from '../group-info.ts'
import { useExpiryEffect } from './use-expiry-effect.ts'

/**
 * Effect of the expiry day on access: the day will end it, has ended it, gives it back until then, or is removed and
 * gives it back.
 */
export type Phase = 'ends' | 'ended' | 'returns' | 'goes'

/** Number of names shown before the user asks for the others. */
const FIRST_NAMES = 6

interface ExpiryEffectProps {
  group: GroupInfo
  /** `YYYY-MM-DD`. */
  day: string
  phase: Phase
}

/** Tells how many and which members lose access on a day, and which keep it. */
export function ExpiryEffect({ group, day, phase }: ExpiryEffectProps) {
  const { effect, error, retry } = useExpiryEffect(group, day)
  if (!effect && error) return <NotRead reason={messageOf(error)} onRetry={retry} />
  if (!effect) return <SkeletonRows rows={2} height={18} columns="minmax(0, 1fr)" />
  const losing = effect.losing.map(({ user }) => nameOf(user))
  const keeping = effect.keeping.map(({ member, by }) => nameAndGroups(nameOf(member.user), by))
  const exempt = effect.exempt.map(({ user }) => nameOf(user))
  const nobody = losing.length + keeping.length + exempt.length === 0
  return (
    <List aria-label={t`Members affected`}>
      {nobody && <li>{nobodyText(group)}</li>}
      <Line text={losingText(losing.length, phase, calendarDate(day))} names={losing} />
      <Line text={keepingText(keeping.length)} names={keeping} />
      <Line text={exemptText(exempt.length)} names={exempt} />
    </List>
  )
}

const nobodyText = ({ is_draft }: GroupInfo) =>
  is_draft ? t`The group is a draft, so nobody is affected yet.` : t`Nobody is in this group, so nobody is affected.`

function losingText(members: number, phase: Phase, day: string): string {
  if (phase === 'ended')
    return plural(members, {
      one: `# member has had no access since ${day}`,
      other: `# members have had no access since ${day}`,
    })
  if (phase === 'returns')
    return plural(members, {
      one: `# member gets access back at once, until ${day}, 00:00 UTC`,
      other: `# members get access back at once, until ${day}, 00:00 UTC`,
    })
  if (phase === 'goes')
    return plural(members, { one: '# member gets access back at once', other: '# members get access back at once' })
  return plural(members, {
    one: `# member loses access on ${day}, 00:00 UTC`,
    other: `# members lose access on ${day}, 00:00 UTC`,
  })
}

const keepingText = (members: number) =>
  plural(members, {
    one: '# member keeps what other groups grant',
    other: '# members keep what other groups grant',
  })

const exemptText = (admins: number) =>
  plural(admins, { one: '# workspace admin keeps every right', other: '# workspace admins keep every right' })

/** "Bob Brown (Lenders, Advisers until 3 Mar 2027)". */
function nameAndGroups(name: string, by: readonly GroupInfo[]): string {
  const groups = by.map(groupAndEnd).join(', ')
  return t`${name} (${groups})`
}

function groupAndEnd({ name, expire_workspace_access_at: end }: GroupInfo): string {
  if (end === null) return name
  const day = calendarDate(end)
  return t`${name} until ${day}`
}

function Line({ text, names }: { text: string; names: readonly string[] }) {
  const [all, setAll] = useState(false)
  if (names.length === 0) return null
  const shown = all ? names : names.slice(0, FIRST_NAMES)
  const total = number(names.length)
  return (
    <li>
      <strong>{text}</strong>
      <br />
      {shown.join(', ')}
      {shown.length < names.length && (
        <Button size="small" onClick={() => setAll(true)} sx={{ ml: 0.5, minHeight: 0, py: 0 }}>
          {t`Show all ${total}`}
        </Button>
      )}
    </li>
  )
}

const List = styled('ul')(({ theme }) => ({
  display: 'grid',
  gap: 6,
  margin: 0,
  padding: 0,
  listStyle: 'none',
  fontSize: '0.75rem',
  color: theme.vars.palette.text.secondary,
  overflowWrap: 'anywhere',
  strong: { color: theme.vars.palette.text.primary, fontWeight: 580 },
}))
