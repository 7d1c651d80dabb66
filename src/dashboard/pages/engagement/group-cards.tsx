import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import ButtonBase from '@mui/material/ButtonBase'
import { styled, useTheme } from '@mui/material/styles'
import { ChevronRight } from 'lucide-react'
import type { CSSProperties } from 'react'
import { TWO_LINES } from '../../ui/words/two-lines.ts'
import { formatLocale } from '../../ui/words/language.ts'
import { number, timeAgo } from '../../ui/words/format.ts'
import { colourOf } from './colours.ts'
import { duration } from '../../ui/words/duration.ts'
import type { EngagedGroup } from './engaged.ts'
import { SparkLine } from './spark-line.tsx'

interface GroupCardsProps {
  groups: readonly EngagedGroup[]
  places: ReadonlyMap<number, number>
  period: { from: string; to: string }
  onOpen: (group: EngagedGroup) => void
}

/** The groups side by side, most reading first. A card opens the people of its group. */
export function GroupCards({ groups, places, period, onOpen }: GroupCardsProps) {
  const theme = useTheme()
  return (
    <Cards aria-label={t`Groups by reading time`}>
      {groups.map((group) => (
        <li key={group.group_id}>
          <Card onClick={() => onOpen(group)} style={styleOf(colourOf(theme, places.get(group.group_id) ?? 0))}>
            <span className="head">
              <i />
              <b title={group.name}>{group.name}</b>
              <ChevronRight size={16} aria-hidden />
            </span>
            <span className="people">
              <Plural value={group.members} one="# person" other="# people" />, {activeOf(group)}
            </span>
            <span className="figures">
              <span>
                <strong>{duration(group.ms)}</strong>
                <small>
                  <Trans>reading</Trans> <Change {...group} />
                </small>
              </span>
              <SparkLine days={group.days} {...period} />
            </span>
            <Opened {...group} />
            <span className="foot">
              <span>{plural(group.downloads, { one: '# download', other: '# downloads' })}</span>
              <span>{group.last_at ? timeAgo(group.last_at) : t`nothing in these days`}</span>
            </span>
          </Card>
        </li>
      ))}
    </Cards>
  )
}

const styleOf = (colour: string) => ({ color: colour, '--group': colour }) as CSSProperties

const activeOf = ({ active }: EngagedGroup) => plural(active, { one: '# active', other: '# active' })

/** Against as many days before, where there was any reading in them. */
function Change({ ms, former_ms }: Pick<EngagedGroup, 'ms' | 'former_ms'>) {
  if (former_ms === 0) return null
  const change = Math.round((ms / former_ms - 1) * 100) / 100
  const format = new Intl.NumberFormat(formatLocale(), { style: 'percent', signDisplay: 'exceptZero' })
  const words = format.format(change)
  return (
    <em className={change < 0 ? 'less' : 'more'} title={t`${words} against as many days before`}>
      · {words}
    </em>
  )
}

function Opened({ opened, viewable }: Pick<EngagedGroup, 'opened' | 'viewable'>) {
  const count = number(opened)
  return (
    <span className="opened">
      <span className="track" aria-hidden>
        <i style={{ width: `${viewable === 0 ? 0 : (opened / viewable) * 100}%` }} />
      </span>
      <span>
        <Trans>
          <b>{count}</b> of <Plural value={viewable} one="# document" other="# documents" /> opened
        </Trans>
      </span>
    </span>
  )
}

const Cards = styled('ul')({
  listStyle: 'none',
  margin: '0 16px 16px',
  padding: 0,
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 260px), 1fr))',
  gap: 12,
})

const Card = styled(ButtonBase)(({ theme }) => {
  const { text, divider, background, success, error } = theme.vars.palette
  return {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    alignItems: 'start',
    gap: 2,
    width: '100%',
    padding: '14px 16px 12px',
    textAlign: 'left',
    fontFamily: 'inherit',
    fontSize: '0.75rem',
    border: `1px solid ${divider}`,
    borderRadius: 8,
    background: background.paper,
    '&:hover': { borderColor: 'currentColor' },
    span: { minWidth: 0 },
    '.head': { display: 'flex', alignItems: 'center', gap: 8, fontSize: '0.875rem' },
    '.head i': { width: 9, height: 9, borderRadius: 2, background: 'currentColor', flexShrink: 0 },
    '.head b': { flex: 1, ...TWO_LINES },
    '.head b, strong, .opened b': { color: text.primary, fontWeight: 650 },
    '.head svg': { color: text.secondary },
    '.people': { paddingLeft: 17 },
    '.people, small, .opened, .foot': { color: text.secondary },
    '.figures': { display: 'flex', alignItems: 'end', justifyContent: 'space-between', gap: 8, marginTop: 4 },
    strong: { display: 'block', fontSize: '1.375rem', lineHeight: 1.25, letterSpacing: '-0.01em' },
    small: { fontSize: '0.75rem' },
    em: { fontStyle: 'normal', fontWeight: 600 },
    '.more': { color: success.main },
    '.less': { color: error.main },
    '.opened': { display: 'grid', gap: 6, marginTop: 8, paddingBottom: 10, borderBottom: `1px solid ${divider}` },
    '.track': { height: 5, borderRadius: 3, overflow: 'hidden', background: divider },
    '.track i': { display: 'block', height: '100%', borderRadius: 3, background: 'var(--group)' },
    '.foot': { display: 'flex', justifyContent: 'space-between', gap: 8, paddingTop: 8 },
  }
})
