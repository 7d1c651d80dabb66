import { expect, it } from 'vitest'
import { dayAfter, dayAt, startOf, zoneOf } from './local-days.ts'

const startIn = (day: string, zone: string) => new Date(startOf(day, zoneOf(zone))).toISOString()

it.each([
  ['2026-03-01', 'UTC', '2026-03-01T00:00:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
  ['2026-07-01', 'Asia/Kolkata', '2026-06-30T18:30:00.000Z'],
  ['2026-07-01', 'Pacific/Kiritimati', '2026-06-30T10:00:00.000Z'],
  // Clocks go from 00:00 to 01:00, and there is no midnight.
  ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  // Samoa left out 30 December 2011.
  ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ['0001-01-01', 'Europe/Berlin', '0001-01-01T00:00:00.000Z'],
])('the day %s in %s begins at %s', (day, zone, start) => {
  expect(startIn(day, zone)).toBe(start)
})

it('every day begins where the day before ends, in every zone', () => {
  for (const name of Intl.supportedValuesOf('timeZone').filter((_, at) => at % 7 === 0)) {
    const zone = zoneOf(name)
    for (let day = '2026-01-01'; day < '2027-01-01'; day = dayAfter(day, 5)) {
      const start = startOf(day, zone)
      expect([name, dayAt(start, zone)]).toEqual([name, day])
      expect([name, dayAt(start - 1, zone)]).toEqual([name, dayAfter(day, -1)])
    }
  }
})
