import { expect, test } from 'vitest'
import { addDays, addMonths, dayAfter, weeksOf } from './month.ts'

test('the weeks of a month begin on Monday and have each of its days once', () => {
  const weeks = weeksOf('2026-02-14')
  expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7])
  expect(weeks[0]).toEqual([undefined, undefined, undefined, undefined, undefined, undefined, '2026-02-01'])
  expect(weeks.flat().filter(Boolean)).toHaveLength(28)
  expect(weeksOf('2027-02-01')).toHaveLength(4)
  expect(weeksOf('2026-08-01')).toHaveLength(6)
})

test('keys go by days, weeks and months, also over the ends of months and years', () => {
  expect(dayAfter('ArrowRight', '2026-12-31')).toBe('2027-01-01')
  expect(dayAfter('ArrowUp', '2026-03-04')).toBe('2026-02-25')
  expect(dayAfter('PageDown', '2026-01-31')).toBe('2026-02-28')
  expect(addMonths('2028-03-31', -1)).toBe('2028-02-29')
  expect(addMonths('2026-01-15', -1)).toBe('2025-12-15')
  expect([dayAfter('Home', '2026-04-17'), dayAfter('End', '2026-04-17')]).toEqual(['2026-04-01', '2026-04-30'])
  expect(dayAfter('a', '2026-04-17')).toBeUndefined()
})

test('the days end at those of the calendar, whose first years are not those of a century ago', () => {
  expect([dayAfter('ArrowRight', '9999-12-31'), dayAfter('PageDown', '9999-12-15')]).toEqual([
    '9999-12-31',
    '9999-12-15',
  ])
  expect([dayAfter('ArrowUp', '0001-01-03'), dayAfter('PageUp', '0001-01-31')]).toEqual(['0001-01-01', '0001-01-31'])
  expect([addMonths('0001-03-31', -1), addMonths('0099-12-31', 1)]).toEqual(['0001-02-28', '0100-01-31'])
  expect([dayAfter('End', '9999-12-02'), dayAfter('End', '0004-02-01')]).toEqual(['9999-12-31', '0004-02-29'])
  expect(weeksOf('0001-01-01').flat().filter(Boolean)).toHaveLength(31)
  const last = weeksOf('9999-12-31').flat().filter(Boolean)
  expect([last.length, last.at(-1)]).toEqual([31, '9999-12-31'])
})

test('every day of a year is in its month once, also where clocks change', () => {
  const days = Array.from({ length: 12 }, (_, at) => weeksOf(addMonths('2026-01-01', at)).flat().filter(Boolean)).flat()
  expect(new Set(days).size).toBe(365)
  expect([addDays('2026-03-28', 1), addDays('2026-03-29', 1), addDays('2026-10-25', 1)]).toEqual([
    '2026-03-29',
    '2026-03-30',
    '2026-10-26',
  ])
})
