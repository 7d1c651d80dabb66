import { plural, t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { Link, type To } from 'react-router-dom'
import { fullDate, shortDate, timeAgo, timeOfDay } from '../../ui/words/format.ts'
import { type Activity, daysOf, type Repeated } from './activity-days.ts'
import { ActivityIcon } from './activity-icon.tsx'
import { placeOf } from '../../shared/activities/activity-place.ts'
import { activityInWords } from '../../shared/activities/activity-words.ts'
import { countWords } from '../../shared/names-of.ts'

interface ActivityFeedProps {
  events: readonly Activity[]
  /** Links to the activities of a user; undefined for a caller who sees only their own activities. */
  hrefOf: ((userId: number) => To) | undefined
}

/** The activities, one section per day. */
export function ActivityFeed({ events, hrefOf }: ActivityFeedProps) {
  return daysOf(events).map(({ day, name, events }) => (
    <Section key={day} aria-label={name || day}>
      <h2>
        {name && <b>{name}</b>}
        {day}
      </h2>
      <ol>
        {events.map((event) => (
          <Line key={event.id} event={event} person={hrefOf?.(event.user_id)} />
        ))}
      </ol>
    </Section>
  ))
}

function Line({ event, person }: { event: Repeated; person: To | undefined }) {
  // After a week `timeAgo` returns the date, which the section heading already shows.
  const ago = timeAgo(event.created_at)
  return (
    <li>
      <span className="icon">
        <ActivityIcon activity={event} />
      </span>
      <span className="text">
        <Words to={person}>
          <b>{event.user_name}</b>
        </Words>{' '}
        {event.together.length > 1 ? (
          <Together acts={event.together} />
        ) : (
          <Words to={placeOf(event)}>{activityInWords(event)}</Words>
        )}
        {event.times > 1 && <span className="times">{timesWords(event.times)}</span>}
      </span>
      <time dateTime={event.created_at} title={fullDate(event.created_at)}>
        {ago !== shortDate(event.created_at) && <span className="ago">{ago}</span>}
        {timeOfDay(event.created_at)}
      </time>
    </li>
  )
}

/** Downloads at once, which open into their files. */
function Together({ acts }: { acts: readonly Activity[] }) {
  const files = acts.filter(({ subject_type }) => subject_type === 'Asset')
  return (
    <details>
      <summary>{togetherWords(acts, files.length)}</summary>
      <ul>
        {acts.toReversed().map((act) => (
          <li key={act.id}>
            <Words to={placeOf(act)}>{activityInWords(act)}</Words>
          </li>
        ))}
      </ul>
    </details>
  )
}

function togetherWords(acts: readonly Activity[], files: number): string {
  const folders = acts.filter(({ subject_type }) => subject_type === 'Folder')
  const [folder] = folders
  if (!folder || folders.length > 1) {
    const all = countWords({ folders: folders.length, files })
    return t`downloaded ${all}`
  }
  const what = activityInWords(folder)
  return t`${what} (${plural(files, { one: '# of its files here', other: '# of its files here' })})`
}

const timesWords = (times: number) => plural(times, { one: '# time', other: '# times' })

function Words({ to, children }: { to: To | undefined; children: ReactNode }) {
  return to === undefined ? children : <Link to={to}>{children}</Link>
}

const Section = styled('section')(({ theme }) => {
  const { palette } = theme.vars
  return {
    h2: {
      position: 'sticky',
      top: 0,
      zIndex: 1,
      display: 'flex',
      gap: 8,
      margin: 0,
      padding: '9px 16px 8px',
      fontSize: '0.75rem',
      fontWeight: 500,
      color: palette.text.secondary,
      background: palette.background.paper,
      borderBottom: `1px solid ${palette.divider}`,
    },
    'h2 b': { fontWeight: 650, color: palette.text.primary },
    ol: { margin: 0, padding: 0, listStyle: 'none' },
    details: { display: 'inline' },
    'details[open]': { display: 'block' },
    summary: { display: 'inline', cursor: 'pointer' },
    'summary::before': { content: '"▸ "', color: palette.text.secondary },
    'details[open] summary::before': { content: '"▾ "' },
    ul: { margin: '4px 0 4px 18px', padding: 0, listStyle: 'none' },
    'ol > li': {
      display: 'grid',
      gridTemplateColumns: '28px minmax(0, 1fr) auto',
      alignItems: 'center',
      gap: 10,
      minHeight: 40,
      padding: '5px 16px',
      borderBottom: `1px solid ${palette.divider}`,
    },
    '&:last-of-type ol > li:last-of-type': { borderBottom: 0 },
    '.icon': {
      display: 'grid',
      placeItems: 'center',
      width: 26,
      height: 26,
      borderRadius: 8,
      color: palette.primary.main,
      background: palette.selection.row,
    },
    '.text': { overflowWrap: 'anywhere', lineHeight: 1.45 },
    '.text b': { fontWeight: 600 },
    '.times': { marginLeft: 8, fontSize: '0.75rem', color: palette.text.secondary },
    '.text a': { color: 'inherit', textDecoration: 'none' },
    '.text a:hover': { textDecoration: 'underline' },
    time: { display: 'flex', gap: 12, whiteSpace: 'nowrap', fontSize: '0.75rem', color: palette.text.secondary },
    [theme.breakpoints.down('sm')]: { '.ago': { display: 'none' } },
  }
})
