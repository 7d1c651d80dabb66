import { expect, it } from 'vitest'
import { placeOf } from './place-of.ts'

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
])('%s counts as %s', (ip, place) => {
  expect(placeOf(ip)).toBe(place)
})
