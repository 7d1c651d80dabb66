import { t } from '@lingui/core/macro'
import { formatLocale } from './language.ts'
import { timeZone } from './time-zone.ts'

/** Formats dates, sizes and numbers. Dates are in the time zone of the user, which `setTimeZone` sets. */

const NONE = '–'

const formats = new Map<string, Intl.DateTimeFormat>()

function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const zone = timeZone()
  const all = zone === undefined ? options : { timeZone: zone, ...options }
  const key = formatLocale() + JSON.stringify(all)
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(formatLocale(), all)
  formats.set(key, made)
  return made
}

/** Returns "20 Nov, 09:00", or "2 Mar 2025" if it is not in the current year. */
export function shortDate(timestamp: string | null, now = new Date()): string {
  if (!timestamp) return NONE
  const date = new Date(timestamp)
  if (date.getFullYear() !== now.getFullYear()) return dayOf(timestamp)
  return dateFormat({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }).format(date)
}

/** Returns "20 November 2026 at 09:00:12 CET", for tooltips and details. */
export function fullDate(timestamp: string | null): string {
  if (!timestamp) return NONE
  return dateFormat({
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(timestamp))
}

/** Returns "20 Nov 2026". */
export function dayOf(timestamp: string): string {
  return dateFormat({ day: 'numeric', month: 'short', year: 'numeric' }).format(new Date(timestamp))
}

/** Returns "09:00". */
export function timeOfDay(timestamp: string): string {
  return dateFormat({ hour: '2-digit', minute: '2-digit' }).format(new Date(timestamp))
}

/** Returns "09:00:12". */
export function timeWithSeconds(timestamp: string): string {
  return dateFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(new Date(timestamp))
}

/** Formats a calendar date of the API ("2026-11-20"), which is in UTC whatever the user's time zone. */
export function calendarDate(date: string): string {
  return dateFormat({ timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' }).format(new Date(date))
}

/** Returns "20 Nov" for a calendar date. */
export function dayAndMonth(date: string): string {
  return dateFormat({ timeZone: 'UTC', day: 'numeric', month: 'short' }).format(new Date(date))
}

/** Returns "5 minutes ago" or "yesterday"; from a week on, a date. */
export function timeAgo(timestamp: string | null, now = new Date()): string {
  if (!timestamp) return NONE
  const seconds = (new Date(timestamp).getTime() - now.getTime()) / 1000
  const past = Math.abs(seconds)
  if (past < 45) return t`just now`
  const relative = new Intl.RelativeTimeFormat(formatLocale(), { numeric: 'auto' })
  if (past < 45 * 60) return relative.format(Math.round(seconds / 60), 'minute')
  const days = dayNumber(new Date(timestamp)) - dayNumber(now)
  if (past < 22 * 3600 || days === 0) return relative.format(Math.round(seconds / 3600), 'hour')
  if (Math.abs(days) < 7) return relative.format(days, 'day')
  return shortDate(timestamp, now)
}

/** Counts calendar days in the time zone of the user. */
const dayNumber = (date: Date) =>
  Date.parse(new Intl.DateTimeFormat('sv', { timeZone: timeZone() }).format(date)) / 86_400_000

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** Formats a size in decimal units, as file managers do: "40 kB", "8.9 MB". Takes the API's decimal text too. */
export function bytes(size: number | string): string {
  let value = Number(size)
  let unit = 0
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit += 1
  }
  const digits = unit >= 2 && value < 999.5 ? 1 : 0
  return `${decimal(value, digits)}\u00a0${UNITS[unit]}`
}

/** Returns "4,812". */
export const number = (value: number) => decimal(value, 0)

const numbers = new Map<string, Intl.NumberFormat>()

function decimal(value: number, digits: number): string {
  const key = formatLocale() + digits
  const known = numbers.get(key)
  if (known) return known.format(value)
  const made = new Intl.NumberFormat(formatLocale(), { minimumFractionDigits: digits, maximumFractionDigits: digits })
  numbers.set(key, made)
  return made.format(value)
}

const orders = new Map<string, Intl.Collator>()

/** Compares names in natural order: "9" before "10". */
export function naturally(one: string, other: string): number {
  const locale = formatLocale()
  const order = orders.get(locale) ?? new Intl.Collator(locale, { numeric: true })
  orders.set(locale, order)
  return order.compare(one, other)
}
