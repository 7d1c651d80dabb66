import { formatLocale } from '../../../../ui/words/language.ts'
import { timeZone } from '../../../../ui/words/time-zone.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** A day `YYYY-MM-DD` and a time `HH:MM` of the person's time zone. */
export interface WallClock {
  day: string
  time: string
}

const zoneOf = () => Intl.DateTimeFormat('en', { timeZone: timeZone() }).resolvedOptions().timeZone

/** What the clock of the person shows at an instant. */
export function wallClockOf(instant: Date): WallClock {
  const part = { timeZone: zoneOf(), hourCycle: 'h23' } as const
  const day = new Intl.DateTimeFormat('sv-SE', { ...part, year: 'numeric', month: '2-digit', day: '2-digit' })
  const time = new Intl.DateTimeFormat('sv-SE', { ...part, hour: '2-digit', minute: '2-digit' })
  return { day: day.format(instant), time: time.format(instant) }
}

/** The instant at which the clock of the person shows this; undefined while it is half typed. */
export function instantOf({ day, time }: WallClock): string | undefined {
  const wanted = utcOf({ day, time })
  if (!DAY.test(day) || Number.isNaN(wanted)) return undefined
  // The offset at the first guess may be that before or after a change of the clocks.
  const guess = wanted - offsetAt(wanted)
  return new Date(wanted - offsetAt(guess)).toISOString()
}

/** Browsers tell a year such as 0002 while it is typed. */
const DAY = /^[1-9]\d{3}-\d\d-\d\d$/

const utcOf = ({ day, time }: WallClock) => Date.parse(`${day}T${time}Z`)
const offsetAt = (ms: number) => utcOf(wallClockOf(new Date(ms))) - Math.floor(ms / MINUTE_MS) * MINUTE_MS

/** Nine o'clock of the next day. */
export const tomorrowMorning = (now = new Date()): WallClock => ({
  day: wallClockOf(new Date(now.getTime() + DAY_MS)).day,
  time: '09:00',
})

/** Returns "3 Dec 2026, 09:00 CET". */
export function openingWords(instant: string): string {
  return new Intl.DateTimeFormat(formatLocale(), {
    timeZone: timeZone(),
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(instant))
}

/** Returns "Europe/Berlin". */
export const zoneName = (): string => zoneOf().replaceAll('_', ' ')
