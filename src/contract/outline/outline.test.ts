import { expect, it } from 'vitest'
import { outlineAt, placeIn, withoutNumber } from './outline.ts'

it('joins and splits numbers', () => {
  expect([outlineAt('', 3), outlineAt('2.3', 1)]).toEqual(['3', '2.3.1'])
  expect([placeIn('3'), placeIn('2.3.14')]).toEqual([3, 14])
})

it.each([
  ['2.3 Contracts', 'Contracts'],
  ['02.03. Contracts', 'Contracts'],
  ['2.3_Contracts', 'Contracts'],
  ['2.3 - Contracts', 'Contracts'],
  ['03 Contracts', 'Contracts'],
  ['3) Contracts', 'Contracts'],
])('leaves out the number of %s at 2.3', (name, rest) => {
  expect(withoutNumber(name, '2.3')).toBe(rest)
})

it.each([
  '3 years',
  '3-year plan',
  '2.4 Contracts',
  '4. Contracts',
  '2.3',
  '2.3 ',
  '2.3.1 Deed',
  '2024 accounts',
  '3D plan',
  '',
])('keeps %s at 2.3', (name) => {
  expect(withoutNumber(name, '2.3')).toBe(name)
})

it('leaves out the number of another index, whose length is known, but not beside no number', () => {
  expect(withoutNumber('4.7 Contracts', '2.3', 4)).toBe('Contracts')
  expect(withoutNumber('4.7 Contracts', '', 4)).toBe('4.7 Contracts')
})

it('K2: takes no time for hostile names', () => {
  for (const name of [
    '1.'.repeat(50_000),
    `1${' '.repeat(100_000)}`,
    `1 -${' _'.repeat(50_000)}`,
    '9'.repeat(100_000),
  ]) {
    expect(withoutNumber(name, '5')).toBe(name)
  }
})
