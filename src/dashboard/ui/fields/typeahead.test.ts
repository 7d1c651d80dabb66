import { expect, test } from 'vitest'
import { findByName } from './typeahead.ts'

test('typing finds the next name with that beginning, and wraps around', () => {
  const names = ['Project', 'Finance', 'Forecasts', 'Property']
  expect(findByName(names, 0, 'p')).toBe(3)
  expect(findByName(names, 3, 'f')).toBe(1)
  expect(findByName(names, 1, 'fo')).toBe(2)
  expect(findByName(names, 1, 'fi')).toBe(1)
  expect(findByName(names, 0, 'x')).toBeUndefined()
})
