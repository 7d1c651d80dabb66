const DAY = 86_400_000

/** Returns a time of day, UTC, `days` working days before `today`. */
export function workday(today: Date, days: number, time: string): Date {
  let day = new Date(`${today.toISOString().slice(0, 10)}T${time}:00.000Z`)
  for (let left = days; left > 0;) {
    day = new Date(day.getTime() - DAY)
    if (day.getUTCDay() % 6 !== 0) left -= 1
  }
  return day
}

/** Returns a time of day, UTC, `days` working days after `today`. */
export function comingWorkday(today: Date, days: number, time: string): Date {
  let day = new Date(`${today.toISOString().slice(0, 10)}T${time}:00.000Z`)
  for (let left = days; left > 0;) {
    day = new Date(day.getTime() + DAY)
    if (day.getUTCDay() % 6 !== 0) left -= 1
  }
  return day
}
