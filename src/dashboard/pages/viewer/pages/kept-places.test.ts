import { beforeEach, expect, test, vi } from 'vitest'
import { keepPlace, keptPlace } from './kept-places.ts'

const place = { zoom: 1.5, page: 17, share: 0.25 } as const
beforeEach(() => localStorage.clear())

test('a place is kept for its user and file, and the beginning needs none', () => {
  keepPlace(1, 7, place)
  expect(keptPlace(1, 7)).toEqual(place)
  expect(keptPlace(1, 8)).toBeUndefined()
  expect(keptPlace(2, 7)).toBeUndefined()
  keepPlace(1, 7, { zoom: 'auto', page: 1, share: 0 })
  expect(keptPlace(1, 7)).toBeUndefined()
})

test('another user who reads in this browser removes the places of the former', () => {
  keepPlace(1, 7, place)
  keepPlace(2, 9, place)
  expect(keptPlace(1, 7)).toBeUndefined()
})

test('only the latest hundred files are kept', () => {
  for (let file = 1; file <= 150; file += 1) keepPlace(1, file, place)
  expect([50, 51, 150].map((file) => keptPlace(1, file)?.page)).toEqual([undefined, 17, 17])
  expect(localStorage.getItem('strongroom-places')?.length).toBeLessThan(10_000)
})

test.each([
  'nothing',
  'null',
  '{"userId":1}',
  '{"userId":1,"places":[7,[7],[7,null],[7,{"zoom":1e9,"page":1,"share":0}],[7,{"zoom":"wide","page":1,"share":0}]]}',
  '{"userId":1,"places":[[7,{"zoom":1,"page":"1","share":0}],[7,{"zoom":1,"page":1,"share":null}]]}',
])('whatever else stands in the storage is left out: %s', (stored) => {
  localStorage.setItem('strongroom-places', stored)
  expect(keptPlace(1, 7)).toBeUndefined()
})

test('a browser without storage keeps nothing', () => {
  vi.stubGlobal('localStorage', undefined)
  keepPlace(1, 7, place)
  expect(keptPlace(1, 7)).toBeUndefined()
  vi.unstubAllGlobals()
})
