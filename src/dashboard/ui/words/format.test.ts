import { afterEach, expect, test } from 'vitest'
import { bytes, calendarDate, shortDate, timeAgo } from './format.ts'
import { setTimeZone } from './time-zone.ts'

afterEach(() => setTimeZone(undefined))

const now = new Date('2026-11-20T12:00:00.000Z')

test('dates are in the time zone of the user', () => {
  setTimeZone('Asia/Tokyo')
  expect(shortDate('2026-11-20T09:00:00.000Z', now)).toBe('20 Nov, 18:00')
  setTimeZone('Europe/Lisbon')
  expect(shortDate('2026-11-20T09:00:00.000Z', now)).toBe('20 Nov, 09:00')
})

test('a date of another year names the year instead of the time', () => {
  setTimeZone('UTC')
  expect(shortDate('2025-03-02T09:00:00.000Z', now)).toBe('2 Mar 2025')
})

test('a calendar date is the same day everywhere', () => {
  setTimeZone('America/Los_Angeles')
  expect(calendarDate('2026-11-20')).toBe('20 Nov 2026')
})

test.each([
  ['2026-11-20T11:59:40.000Z', 'just now'],
  ['2026-11-20T11:55:00.000Z', '5 minutes ago'],
  ['2026-11-20T09:00:00.000Z', '3 hours ago'],
  ['2026-11-19T11:00:00.000Z', 'yesterday'],
  ['2026-11-18T23:00:00.000Z', '2 days ago'],
  ['2026-11-14T01:00:00.000Z', '6 days ago'],
  [null, '–'],
])('%s is %s', (timestamp, words) => {
  expect(timeAgo(timestamp, now)).toBe(words)
})

test.each([
  ['0', '0\u00a0B'],
  ['999', '999\u00a0B'],
  ['40213', '40\u00a0kB'],
  ['8912345', '8.9\u00a0MB'],
  ['999999', '1.0\u00a0MB'],
  [5_000_000_000, '5.0\u00a0GB'],
])('%s bytes are %s', (size, words) => {
  expect(bytes(size)).toBe(words)
})
