import { plural, t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { Link } from 'react-router-dom'
import type { Reply } from '../../../../contract/endpoint.ts'
import type { api } from '../../../../contract/index.ts'
import { paths } from '../../../paths.ts'
import { PersonAvatar } from '../../../shared/person-avatar.tsx'
import { personNamed } from '../../../shared/people.ts'
import { duration } from '../../../ui/words/duration.ts'
import { dayAndMonth, fullDate, number } from '../../../ui/words/format.ts'
import { daysAfter, dayWords } from '../../../ui/words/local-day.ts'

export type Summary = Reply<typeof api.activities.summary>
type Engaged = Reply<typeof api.engagement.file>

export const DAYS = 14
const MOST_PEOPLE = 5

interface ReadersProps {
  workspaceId: number
  kind: 'file' | 'folder'
  summary: Summary
  /** How long the file was read; undefined if that is not known. */
  engaged: Engaged | undefined
}

/** How often and by whom a file, or the files of a folder, were opened in the last days. */
export function Readers({ workspaceId, kind, summary, engaged }: ReadersProps) {
  if (summary.reading.people === 0) {
    return (
      <small>{kind === 'file' ? t`Nobody opened it in 14 days.` : t`Nobody opened a file in it in 14 days.`}</small>
    )
  }
  const people = summary.people.filter(({ views, downloads }) => views + downloads > 0)
  return (
    <>
      <Sum>
        <div>
          <b>{sumWords(summary.reading)}</b>
          <small>{engaged?.ms ? <ReadFor workspaceId={workspaceId} engaged={engaged} /> : periodWords(kind)}</small>
        </div>
        <DayBars summary={summary} />
      </Sum>
      <People>
        {people.slice(0, MOST_PEOPLE).map((person) => (
          <li key={person.user_id}>
            <PersonAvatar person={personNamed(person.user_name)} size={20} />
            <b title={person.user_name}>{person.user_name}</b>
            <time dateTime={person.last_active_at} title={fullDate(person.last_active_at)}>
              {dayWords(person.last_active_at)}
            </time>
            <small>{readWords(person, engaged)}</small>
          </li>
        ))}
      </People>
    </>
  )
}

/** "12 views and 1 download by 3 people". */
function sumWords({ people, ...tally }: Summary['reading']): string {
  const acts = actsOf(tally)
  return plural(people, { one: `${acts} by # person`, other: `${acts} by # people` })
}

function actsOf({ views, downloads }: Pick<Summary['reading'], 'views' | 'downloads'>): string {
  const viewed = plural(views, { one: '# view', other: '# views' })
  const downloaded = plural(downloads, { one: '# download', other: '# downloads' })
  if (downloads === 0) return viewed
  return views === 0 ? downloaded : t`${viewed} and ${downloaded}`
}

const periodWords = (kind: 'file' | 'folder') => (kind === 'file' ? t`in 14 days` : t`of the files in it, in 14 days`)

/** Leads to where it is told page by page. Only the newest version is measured. */
function ReadFor({ workspaceId, engaged: { file_id, version, ms } }: { workspaceId: number; engaged: Engaged }) {
  const time = duration(ms)
  return (
    <Link to={paths.engagement(workspaceId, { file: file_id, days: DAYS })}>
      {version === 1 ? t`read for ${time} in 14 days` : t`version ${version} read for ${time} in 14 days`}
    </Link>
  )
}

/** The time is that of the newest version, so it stands beside the views of one that has no others. */
function readWords(person: Summary['people'][number], engaged: Engaged | undefined): string {
  const ms = engaged?.version === 1 && engaged.people.find(({ user_id }) => user_id === person.user_id)?.ms
  return [actsOf(person), ms && duration(ms)].filter(Boolean).join(', ')
}

/** A bar for each day, whose height is its share of the busiest. */
function DayBars({ summary: { from, days } }: { summary: Summary }) {
  const onDay = new Map(days.map(({ day, views, downloads }) => [day, views + downloads]))
  const most = Math.max(1, ...onDay.values())
  return (
    <Bars role="img" aria-label={t`Views and downloads on each of the last 14 days`}>
      {Array.from({ length: DAYS }, (_, at) => {
        const day = daysAfter(from, at)
        const acts = onDay.get(day) ?? 0
        const title = `${dayAndMonth(day)}: ${number(acts)}`
        return <i key={day} title={title} className={acts > 0 ? 'some' : ''} style={{ height: barOf(acts / most) }} />
      })}
    </Bars>
  )
}

const BARS = 24
const barOf = (share: number) => (share === 0 ? 1 : Math.max(4, Math.round(share * BARS)))

const Sum = styled('div')({
  display: 'flex',
  justifyContent: 'space-between',
  gap: 12,
  '& > div': { display: 'grid', gap: 1, fontSize: '0.8125rem' },
  b: { fontWeight: 600 },
  small: { lineHeight: 1.4 },
  a: { fontSize: 'inherit' },
})

const Bars = styled('span')(({ theme }) => ({
  flex: 'none',
  display: 'flex',
  alignItems: 'flex-end',
  gap: 2,
  height: BARS,
  i: { width: 4, background: theme.vars.palette.text.secondary, opacity: 0.5 },
  '.some': { borderRadius: '1px 1px 0 0', background: theme.vars.palette.primary.main, opacity: 1 },
}))

const People = styled('ol')({
  '&& li': { gridTemplateColumns: '20px minmax(0, 1fr) auto', columnGap: 8, rowGap: 0, alignItems: 'center' },
  b: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  small: { gridColumn: '2 / -1' },
})
