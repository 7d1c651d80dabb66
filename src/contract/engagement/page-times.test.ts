import { expect, test } from 'vitest'
import { dropOffOf, longestPages, reachOf, spansOf, stepOf } from './page-times.ts'

const group = {
  readers: 4,
  page_times: [
    { page_number: 1, ms: 4000 },
    { page_number: 3, ms: 8000 },
  ],
  stops: [
    { page_number: 3, readers: 3 },
    { page_number: 10, readers: 1 },
  ],
}

test('a strip has the time per reader of each page, and of equal spans in a long document', () => {
  expect(spansOf(group, 3).map(({ ms }) => ms)).toEqual([1000, 0, 2000])
  const long = spansOf(group, 130)
  expect(long).toHaveLength(44)
  expect(long[0]).toEqual({ first: 1, last: 3, ms: 1000 })
  expect(long.at(-1)).toEqual({ first: 130, last: 130, ms: 0 })
  expect(spansOf(group, 0)).toEqual([])
})

test('readers stop where most of them reach their last page, unless that is the end', () => {
  expect(dropOffOf(group, 10)).toEqual({ page: 3, left: 3, of: 4, isEnd: false })
  expect(dropOffOf({ ...group, stops: [{ page_number: 3, readers: 2 }] }, 10)).toMatchObject({ page: 3, isEnd: true })
  expect(dropOffOf({ ...group, stops: [{ page_number: 10, readers: 2 }] }, 10)).toBeUndefined()
  expect(dropOffOf({ ...group, stops: [] }, 10)).toBeUndefined()
})

test('the share of readers falls behind each page at which some stop', () => {
  expect(reachOf(group, 10)).toEqual([
    [1, 1],
    [3, 1],
    [4, 0.25],
    [10, 0.25],
  ])
  expect(reachOf({ ...group, stops: [{ page_number: 2, readers: 1 }] }, 5)).toEqual([
    [1, 1],
    [2, 1],
    [3, 0],
    [5, 0],
  ])
  expect(reachOf({ ...group, stops: [] }, 5)).toEqual([])
})

test('pages that are read longest count over all groups, and strength has six steps', () => {
  expect(longestPages([group, group], 1)).toEqual([{ page: 3, ms: 16_000 }])
  expect([0, 1, 300, 700, 1000].map((ms) => stepOf(ms, 1000))).toEqual([0, 0, 3, 5, 5])
})
