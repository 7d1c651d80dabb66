import { expect, test } from 'vitest'
import { duration, minutesAndSeconds } from './duration.ts'

test('a time is as exact as it is short', () => {
  const times = [0, 400, 59_400, 59_600, 3_540_000, 3_599_000, 7_501_000, 360_000_000]
  expect(times.map(duration)).toEqual(['0 s', '0 s', '59 s', '1 min', '59 min', '1 h 00', '2 h 05', '100 h 00'])
  expect([0, 61_000, 490_400].map(minutesAndSeconds)).toEqual(['0:00', '1:01', '8:10'])
})
