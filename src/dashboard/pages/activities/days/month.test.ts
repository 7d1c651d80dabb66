import { expect, test } from 'vitest'
import { addMonths, dayAfter, weeksOf } from './month.ts'

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
