import type { Reply } from '../../../../contract/endpoint.ts'
import type { api } from '../../../../contract/index.ts'
import { calendarDate } from '../../../ui/words/format.ts'

export type Summary = Reply<typeof api.activities.summary>

export interface Period {
  /** First day, UTC. */
  day: string
  /** "20 Nov 2026", "16 Nov 2026 – 22 Nov 2026". */
  name: string
  views: number
  downloads: number
  others: number
}

export const SERIES = ['views', 'downloads', 'others'] as const
export type Series = (typeof SERIES)[number]

const DAY = 86_400_000
/** With more days than this, the columns would be too thin; a column is then a week. */
const MOST_DAYS = 62

/** Returns a column per day of the summary, days without activities included; above `MOST_DAYS`, a column per week. */
export function periodsOf({ from, to, days }: Pick<Summary, 'from' | 'to' | 'days'>): Period[] {
  const length = (Date.parse(to) - Date.parse(from)) / DAY + 1
  const step = length > MOST_DAYS ? 7 : 1
  const periods: Period[] = []
  for (let at = 0; at < length; at += step) {
    const [first, last] = [dateAt(from, at), dateAt(from, Math.min(at + step, length) - 1)]
    const name = first === last ? calendarDate(first) : `${calendarDate(first)} – ${calendarDate(last)}`
    periods.push({ day: first, name, views: 0, downloads: 0, others: 0 })
  }
  for (const { day, ...tally } of days) {
    const period = periods[Math.floor((Date.parse(day) - Date.parse(from)) / DAY / step)]
    if (period) for (const series of SERIES) period[series] += tally[series]
  }
  return periods
}

const dateAt = (from: string, days: number) => new Date(Date.parse(from) + days * DAY).toISOString().slice(0, 10)
