const DAY = 86_400_000

/** Returns the UTC calendar date some days from now, as `YYYY-MM-DD`. Dates of the API are in UTC. */
export function utcDay(daysFromNow = 0, now = Date.now()): string {
  return new Date(now + daysFromNow * DAY).toISOString().slice(0, 10)
}
