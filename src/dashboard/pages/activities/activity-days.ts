import { t } from '@lingui/core/macro'
import type { Reply } from '../../../contract/endpoint.ts'
import type { api } from '../../../contract/index.ts'
import { dayOf } from '../../ui/words/format.ts'

export type Activity = Reply<typeof api.activities.list>['events'][number]

/** An act, and how often it was done in a row. The act is the newest of them. */
export interface Repeated extends Activity {
  times: number
  /** Several downloads at once, such as the files of a zip; otherwise only the act. */
  together: Activity[]
}

export interface Day {
  /** "20 Nov 2026" in the user's time zone. */
  day: string
  /** "Today", "Yesterday" or "". */
  name: string
  events: Repeated[]
}

const DAY = 86_400_000

/** Splits a feed, newest first, into days. Views of the same thing by the same person in a row become one line, and so do downloads at once. */
export function daysOf(events: readonly Activity[], now = new Date()): Day[] {
  const today = dayOf(now.toISOString())
  const yesterday = dayOf(new Date(now.getTime() - DAY).toISOString())
  const days: Day[] = []
  for (const event of events) {
    const day = dayOf(event.created_at)
    if (days.at(-1)?.day !== day) {
      days.push({ day, name: day === today ? t`Today` : day === yesterday ? t`Yesterday` : '', events: [] })
    }
    const events = days.at(-1)?.events ?? []
    const last = events.at(-1)
    if (last && isSameView(last, event)) last.times++
    else if (last && isSameDownload(last.together.at(-1), event)) last.together.push(event)
    else events.push({ ...event, times: 1, together: [event] })
  }
  return days
}

/** In milliseconds, between the records of the files of one zip. */
const AT_ONCE = 2000

const isSameDownload = (a: Activity | undefined, b: Activity): boolean =>
  a?.verb === 'downloaded' &&
  b.verb === 'downloaded' &&
  a.user_id === b.user_id &&
  Math.abs(Date.parse(a.created_at) - Date.parse(b.created_at)) <= AT_ONCE

const isSameView = (a: Activity, b: Activity): boolean =>
  a.verb === 'viewed' &&
  b.verb === 'viewed' &&
  a.user_id === b.user_id &&
  a.subject_type === b.subject_type &&
  a.subject_id === b.subject_id
