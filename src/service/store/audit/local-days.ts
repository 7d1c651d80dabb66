// Days of a time zone. Intl decides, not PostgreSQL, which may not know a zone that the browser knows.

const DAY_MS = 86_400_000
const FIRST_DAY = '0001-01-01'
const LAST_DAY = '9999-12-31'
/** Later moments have years of five digits, which neither dates of the contract nor PostgreSQL take. */
const END = Date.parse(LAST_DAY) + DAY_MS
/** Before that, zones were local mean times. */
const FIRST_YEAR = '1900'

export type Zone = Intl.DateTimeFormat | undefined

/** @param name undefined for UTC */
export const zoneOf = (name: string | undefined): Zone =>
  name === undefined ? undefined : new Intl.DateTimeFormat('en-CA', { ...PARTS, timeZone: name, hourCycle: 'h23' })

const PARTS = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const

/** Returns the day of a moment, `YYYY-MM-DD`. */
export const dayAt = (time: number, zone: Zone): string => dayOf(time + offsetAt(time, zone))

/** Returns the day that is some days after another; the first or last day there is instead of one beyond. */
export const dayAfter = (day: string, days: number): string => dayOf(Date.parse(day) + days * DAY_MS)

const dayOf = (time: number): string =>
  new Date(Math.min(Math.max(time, Date.parse(FIRST_DAY)), END - 1)).toISOString().slice(0, 10)

/** Returns the days from one to another, both included. */
export const daysFrom = (first: string, last: string): string[] =>
  Array.from({ length: Math.max(0, (Date.parse(last) - Date.parse(first)) / DAY_MS + 1) }, (_, at) =>
    dayAfter(first, at),
  )

/** Returns the moment behind a day. */
export const endOf = (day: string, zone: Zone): number => (day === LAST_DAY ? END : startOf(dayAfter(day, 1), zone))

/** Returns a moment as PostgreSQL reads it. */
export const momentOf = (time: number): string => (time < END ? new Date(time).toISOString() : NEVER)

/** Returns the moment at which a day begins: the first of its moments, where clocks change at midnight. */
export function startOf(day: string, zone: Zone): number {
  const utc = Date.parse(day)
  const [early = utc, late = utc] = [utc - DAY_MS, utc + DAY_MS]
    .map((near) => utc - offsetAt(near, zone))
    .toSorted((one, other) => one - other)
  return dayAt(early, zone) >= day ? early : late
}

/** Returns how far the clocks of a zone are ahead of UTC, in milliseconds. */
function offsetAt(time: number, zone: Zone): number {
  if (!zone || new Date(time).toISOString() < FIRST_YEAR) return 0
  const seconds = Math.floor(time / 1000) * 1000
  const parts = Object.fromEntries(zone.formatToParts(seconds).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - seconds
}

/** Since when the clocks of a zone are how many seconds ahead of UTC. */
export interface Offsets {
  since: string[]
  seconds: number[]
}

/** The offset of this day holds for all days before. */
const FIRST_OFFSET = Date.parse('2020-01-01')
/** Shorter than any summer time. */
const STEP = 7 * DAY_MS
const MINUTE_MS = 60_000

const knownOffsets = new Map<string, { until: number; offsets: Offsets }>()

/** Returns the offsets of a zone until more than a year from now. */
export function offsetsOf(zone: Zone, now: Date): Offsets {
  const name = zone?.resolvedOptions().timeZone ?? 'UTC'
  const known = knownOffsets.get(name)
  if (known && known.until > now.getTime() + 366 * DAY_MS) return known.offsets
  const until = now.getTime() + 2 * 366 * DAY_MS
  const offsets = readOffsets(zone, until)
  knownOffsets.set(name, { until, offsets })
  return offsets
}

function readOffsets(zone: Zone, until: number): Offsets {
  const offsets = { since: [EVER], seconds: [offsetAt(FIRST_OFFSET, zone) / 1000] }
  if (!zone) return offsets
  for (let time = FIRST_OFFSET; time < until; time += STEP) {
    if (offsetAt(time, zone) === offsetAt(time + STEP, zone)) continue
    const change = changeBetween(time, time + STEP, zone)
    offsets.since.push(momentOf(change))
    offsets.seconds.push(offsetAt(change, zone) / 1000)
  }
  return offsets
}

/** Returns the first minute with the offset of the later time. */
function changeBetween(early: number, late: number, zone: Zone): number {
  if (late - early <= MINUTE_MS) return late
  const middle = Math.floor((early + late) / 2 / MINUTE_MS) * MINUTE_MS
  return offsetAt(middle, zone) === offsetAt(late, zone)
    ? changeBetween(early, middle, zone)
    : changeBetween(middle, late, zone)
}

/** Days of a time zone as moments, and the UTC days that lie wholly among them. */
export interface ZonedRange {
  since: string
  before: string
  /** First and last whole UTC day; the day 1 where there is none. */
  from?: string | undefined
  to?: string | undefined
  /** The moments between which the whole UTC days lie. */
  whole_from: string
  whole_until: string
}

const EVER = '-infinity'
const NEVER = 'infinity'

export const NO_RANGE: Pick<ZonedRange, 'since' | 'before' | 'whole_from' | 'whole_until'> = {
  since: EVER,
  before: NEVER,
  whole_from: EVER,
  whole_until: NEVER,
}

interface Days {
  from?: string | undefined
  to?: string | undefined
  time_zone?: string | undefined
}

export function zonedRange({ from, to, time_zone }: Days): ZonedRange {
  const zone = zoneOf(time_zone)
  const since = from ? startOf(from, zone) : undefined
  const before = to ? endOf(to, zone) : undefined
  const first = since === undefined ? undefined : Math.ceil(since / DAY_MS) * DAY_MS
  const end = before === undefined ? undefined : Math.floor(before / DAY_MS) * DAY_MS
  const outer = { since: boundOf(since, EVER), before: boundOf(before, NEVER) }
  if (first !== undefined && end !== undefined && first >= end) {
    return { ...outer, from: FIRST_DAY, to: FIRST_DAY, whole_from: outer.before, whole_until: outer.before }
  }
  return {
    ...outer,
    from: first === undefined ? FIRST_DAY : dayAt(first, undefined),
    to: end === undefined ? LAST_DAY : dayAt(end - DAY_MS, undefined),
    whole_from: boundOf(first, EVER),
    whole_until: boundOf(end, NEVER),
  }
}

const boundOf = (time: number | undefined, otherwise: string) => (time === undefined ? otherwise : momentOf(time))
