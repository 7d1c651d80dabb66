import { plural } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import type { To } from 'react-router-dom'
import { placeOf } from '../../shared/activities/activity-place.ts'
import { activityInWords } from '../../shared/activities/activity-words.ts'
import { fullDate, shortDate, timeAgo, timeOfDay } from '../../ui/words/format.ts'
import { daysOf, type FeedEvent } from './activity-days.ts'
import { ActivityIcon } from './activity-icon.tsx'
import { Words } from './words.tsx'
import { ZipEvent } from './zip-event.tsx'

interface ActivityFeedProps {
  workspaceId: number
  search: URLSearchParams
  events: readonly FeedEvent[]
  /** Links to the activities of a user; undefined for a caller who sees only their own activities. */
  hrefOf: ((userId: number) => To) | undefined
}

/** The activities, one section per day. */
export function ActivityFeed({ events, hrefOf, ...place }: ActivityFeedProps) {
  return daysOf(events).map(({ day, name, events }) => (
    <Section key={day} aria-label={name || day}>
      <h2>
        {name && <b>{name}</b>}
        {day}
      </h2>
      <ol>
        {events.map((event) => (
          <Line key={event.id} event={event} person={hrefOf?.(event.user_id)} {...place} />
        ))}
      </ol>
    </Section>
  ))
}

interface LineProps extends Pick<ActivityFeedProps, 'workspaceId' | 'search'> {
  event: FeedEvent
  person: To | undefined
}

function Line({ event, person, ...place }: LineProps) {
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
        {event.zip ? (
          <ZipEvent event={event} zip={event.zip} {...place} />
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

const timesWords = (times: number) => plural(times, { one: '# time', other: '# times' })

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
    summary: { display: 'inline', cursor: 'pointer' },
    'summary::before': { content: '"▸ "', color: palette.text.secondary },
    'details[open] summary::before': { content: '"▾ "' },
    ul: { margin: '4px 0 4px 18px', padding: 0, listStyle: 'none' },
    'ul a': { display: 'inline-block', padding: '3px 0' },
    '& ul button': { marginLeft: -5 },
    'ol > li': {
      display: 'grid',
      gridTemplateColumns: '28px minmax(0, 1fr) auto',
      alignItems: 'center',
      gap: 10,
      minHeight: 40,
      padding: '5px 16px',
      borderBottom: `1px solid ${palette.divider}`,
    },
    'ol > li:has(details[open])': { alignItems: 'start' },
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
