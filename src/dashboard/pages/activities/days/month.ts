const DAY = 86_400_000

/** Days are `YYYY-MM-DD`. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)

/** Stays in the month that is asked for: a month after 31 January is the last day of February. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10)
}

/** Weeks from Monday to Sunday with every day of the month; undefined stands for days of other months. */
export function weeksOf(day: string): (string | undefined)[][] {
  const first = `${day.slice(0, 7)}-01`
  const before = (new Date(first).getUTCDay() + 6) % 7
  const days = Array.from({ length: 42 }, (_, at) => addDays(first, at - before))
  const shown = days.map((each) => (each.slice(0, 7) === day.slice(0, 7) ? each : undefined))
  const weeks = Array.from({ length: 6 }, (_, week) => shown.slice(week * 7, week * 7 + 7))
  return weeks.filter((week) => week.some(Boolean))
}

/** Where a key leads from a day; undefined for other keys. */
export function dayAfter(key: string, day: string): string | undefined {
  const steps: Record<string, string> = {
    ArrowLeft: addDays(day, -1),
    ArrowRight: addDays(day, 1),
    ArrowUp: addDays(day, -7),
    ArrowDown: addDays(day, 7),
    PageUp: addMonths(day, -1),
    PageDown: addMonths(day, 1),
    Home: `${day.slice(0, 7)}-01`,
    End: addDays(addMonths(`${day.slice(0, 7)}-01`, 1), -1),
  }
  return steps[key]
}
