import { t } from '@lingui/core/macro'
import type { Reply } from '../../../contract/endpoint.ts'
import type { api } from '../../../contract/index.ts'
import { dayOf } from '../../ui/words/format.ts'

export type FeedEvent = Reply<typeof api.activities.feed>['events'][number]

export interface Day {
  /** "20 Nov 2026" in the user's time zone. */
  day: string
  /** "Today", "Yesterday" or "". */
  name: string
  events: FeedEvent[]
}

const DAY = 86_400_000

/** Splits a feed, newest first, into days. */
export function daysOf(events: readonly FeedEvent[], now = new Date()): Day[] {
  const today = dayOf(now.toISOString())
  const yesterday = dayOf(new Date(now.getTime() - DAY).toISOString())
  const days: Day[] = []
  for (const event of events) {
    const day = dayOf(event.created_at)
    if (days.at(-1)?.day !== day) {
      days.push({ day, name: day === today ? t`Today` : day === yesterday ? t`Yesterday` : '', events: [] })
    }
    days.at(-1)?.events.push(event)
  }
  return days
}
