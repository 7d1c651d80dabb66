const DAY = 86_400_000
/** Days of other years are no dates of the API. */
const [FIRST, LAST] = [Date.parse('0001-01-01'), Date.parse('9999-12-31')]

const dayAt = (time: number): string => new Date(Math.min(Math.max(time, FIRST), LAST)).toISOString().slice(0, 10)

/** Days are `YYYY-MM-DD`; the first or last day there is stands for one beyond. */
export const addDays = (day: string, days: number): string => dayAt(Date.parse(day) + days * DAY)

/** Stays in the month that is asked for: a month after 31 January is the last day of February. */
export function addMonths(day: string, months: number): string {
  const time = new Date(`${day.slice(0, 7)}-01`)
  time.setUTCMonth(time.getUTCMonth() + months)
  const first = `${dayAt(time.getTime()).slice(0, 7)}-01`
  return addDays(first, Math.min(Number(day.slice(8)), daysIn(first)) - 1)
}

/** `setUTCMonth` takes years before 100 as they are, unlike `Date.UTC`. */
function daysIn(first: string): number {
  const time = new Date(first)
  time.setUTCMonth(time.getUTCMonth() + 1, 0)
  return time.getUTCDate()
}

/** Weeks from Monday to Sunday with every day of the month; undefined stands for days of other months. */
export function weeksOf(day: string): (string | undefined)[][] {
  const first = `${day.slice(0, 7)}-01`
  const before = (new Date(first).getUTCDay() + 6) % 7
  const count = daysIn(first)
  const days = Array.from({ length: 42 }, (_, at) => {
    return at < before || at >= before + count ? undefined : addDays(first, at - before)
  })
  const weeks = Array.from({ length: 6 }, (_, week) => days.slice(week * 7, week * 7 + 7))
  return weeks.filter((week) => week.some(Boolean))
}

/** Where a key leads from a day; undefined for other keys. */
export function dayAfter(key: string, day: string): string | undefined {
  const first = `${day.slice(0, 7)}-01`
  const steps: Record<string, string> = {
    ArrowLeft: addDays(day, -1),
    ArrowRight: addDays(day, 1),
    ArrowUp: addDays(day, -7),
    ArrowDown: addDays(day, 7),
    PageUp: addMonths(day, -1),
    PageDown: addMonths(day, 1),
    Home: first,
    End: addDays(first, daysIn(first) - 1),
  }
  return steps[key]
}
