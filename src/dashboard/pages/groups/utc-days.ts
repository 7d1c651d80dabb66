const DAY = 86_400_000

/** The calendar date in UTC, some days from now: `YYYY-MM-DD`. Dates of the API are meant in UTC. */
export function utcDay(daysFromNow = 0, now = Date.now()): string {
  return new Date(now + daysFromNow * DAY).toISOString().slice(0, 10)
}
