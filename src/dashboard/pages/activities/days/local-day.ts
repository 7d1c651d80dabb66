import { timeZone } from '../../../ui/words/time-zone.ts'

const DAY = 86_400_000

/** Returns the time zone of the feed's days; undefined for UTC. */
export function zoneOfDays(): string | undefined {
  const zone = Intl.DateTimeFormat('en', { timeZone: timeZone() }).resolvedOptions().timeZone
  return zone.endsWith('UTC') ? undefined : zone
}

/** Returns the first of the last days, `YYYY-MM-DD`; of one day, today. */
export function firstOfLast(days: number, now = new Date()): string {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', timeZone: zoneOfDays() ?? 'UTC' } as const
  const today = new Intl.DateTimeFormat('en-CA', parts).format(now)
  return new Date(Date.parse(today) - (days - 1) * DAY).toISOString().slice(0, 10)
}
