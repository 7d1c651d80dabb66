import { afterEach, describe, expect, it } from 'vitest'
import { setTimeZone } from '../../../../ui/words/time-zone.ts'
import { instantOf, tomorrowMorning, wallClockOf } from './opening-time.ts'

afterEach(() => setTimeZone(undefined))

describe('the time of an opening', () => {
  it.each([
    ['Europe/Berlin', '2026-12-03', '09:00', '2026-12-03T08:00:00.000Z'],
    ['Europe/Berlin', '2027-07-01', '09:00', '2027-07-01T07:00:00.000Z'],
    ['America/New_York', '2026-12-03', '23:30', '2026-12-04T04:30:00.000Z'],
    ['Asia/Kathmandu', '2026-12-03', '00:15', '2026-12-02T18:30:00.000Z'],
    ['Pacific/Kiritimati', '2026-12-03', '09:00', '2026-12-02T19:00:00.000Z'],
  ])('in %s on %s at %s is that instant, and back', (zone, day, time, instant) => {
    setTimeZone(zone)
    expect(instantOf({ day, time })).toBe(instant)
    expect(wallClockOf(new Date(instant))).toEqual({ day, time })
  })

  it('beside a change of the clocks is right on both sides', () => {
    setTimeZone('Europe/Berlin')
    expect(instantOf({ day: '2027-03-28', time: '01:59' })).toBe('2027-03-28T00:59:00.000Z')
    expect(instantOf({ day: '2027-03-28', time: '03:00' })).toBe('2027-03-28T01:00:00.000Z')
    expect(instantOf({ day: '2027-10-31', time: '04:00' })).toBe('2027-10-31T03:00:00.000Z')
  })

  it('is none while it is half typed', () => {
    expect(instantOf({ day: '', time: '09:00' })).toBeUndefined()
    expect(instantOf({ day: '2026-12-03', time: '' })).toBeUndefined()
    for (const day of ['0002-12-03', '0202-12-03', '12026-12-03'])
      expect(instantOf({ day, time: '09:00' })).toBeUndefined()
  })

  it('is proposed for the next morning of the person', () => {
    setTimeZone('Pacific/Auckland')
    expect(tomorrowMorning(new Date('2026-12-03T20:00:00Z'))).toEqual({ day: '2026-12-05', time: '09:00' })
  })
})
