import { dayAndMonth } from './format.ts'
import { formatLocale } from './language.ts'
import { timeZone } from './time-zone.ts'

const DAY = 86_400_000

/** Returns the time zone of the user's days; undefined for UTC. */
export function zoneOfDays(): string | undefined {
  const zone = Intl.DateTimeFormat('en', { timeZone: timeZone() }).resolvedOptions().timeZone
  return zone.endsWith('UTC') ? undefined : zone
}

/** Returns the first of the last days, `YYYY-MM-DD`; of one day, today. */
export const firstOfLast = (days: number, now = new Date()): string => daysAfter(localDay(now), 1 - days)

/** Returns "today", "yesterday" or "20 Nov". */
export function dayWords(timestamp: string, now = new Date()): string {
  const day = localDay(new Date(timestamp))
  const ago = (Date.parse(localDay(now)) - Date.parse(day)) / DAY
  if (ago !== 0 && ago !== 1) return dayAndMonth(day)
  return new Intl.RelativeTimeFormat(formatLocale(), { numeric: 'auto' }).format(-ago, 'day')
}

export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)

function localDay(at: Date): string {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', timeZone: zoneOfDays() ?? 'UTC' } as const
  return new Intl.DateTimeFormat('en-CA', parts).format(at)
}
