import { expect, test } from 'vitest'
import { filterEntries, formatSort, nextSort, parseSort, sortEntries } from './sort.ts'
import { file, folder } from '../../pages/files/testing/entries.ts'

const entries = [
  file(4, 'Board minutes 10.pdf', { index: 1, file_size: '900', pages: 3, updated_at: '2026-11-03T00:00:00.000Z' }),
  file(5, 'Board minutes 9.pdf', { index: 2, file_size: '12000', pages: 0, updated_at: '2026-11-01T00:00:00.000Z' }),
  folder(2, 'Property', { index: 2 }),
  folder(1, 'Finance', { index: 1 }),
]
const names = (sort: string | null) => sortEntries(entries, parseSort(sort)).map((entry) => entry.name)

test('without a sort, entries are in the order of the room, folders first', () => {
  expect(names(null)).toEqual(['Finance', 'Property', 'Board minutes 10.pdf', 'Board minutes 9.pdf'])
})

test('names sort by the numbers in them, and folders stay first in both directions', () => {
  expect(names('name')).toEqual(['Finance', 'Property', 'Board minutes 9.pdf', 'Board minutes 10.pdf'])
  expect(names('-name')).toEqual(['Property', 'Finance', 'Board minutes 10.pdf', 'Board minutes 9.pdf'])
})

test('sizes sort as numbers, changes sort by time', () => {
  expect(names('-size').slice(2)).toEqual(['Board minutes 9.pdf', 'Board minutes 10.pdf'])
  expect(names('changed').slice(2)).toEqual(['Board minutes 9.pdf', 'Board minutes 10.pdf'])
})

test('a hostile sort in the address falls back to the order of the room', () => {
  expect(parseSort('__proto__')).toBeUndefined()
  expect(parseSort('-')).toBeUndefined()
  expect(formatSort(parseSort('-size'))).toBe('-size')
})

test('clicks on a column head sort up, then down, then by the order of the room', () => {
  const up = nextSort(undefined, 'size')
  const down = nextSort(up, 'size')
  expect([formatSort(up), formatSort(down), formatSort(nextSort(down, 'size'))]).toEqual(['size', '-size', undefined])
})

test('the filter requires every word, in any order and case', () => {
  expect(filterEntries(entries, 'minutes BOARD 9').map((entry) => entry.id)).toEqual([5])
  expect(filterEntries(entries, '  ')).toHaveLength(4)
  expect(filterEntries(entries, 'nowhere')).toEqual([])
})
