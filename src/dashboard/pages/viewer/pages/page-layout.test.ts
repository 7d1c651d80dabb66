import { expect, test } from 'vitest'
import {
  heightOf,
  inSight,
  layOut,
  mainPage,
  MARGIN,
  naturalSize,
  nextStep,
  positionAt,
  scaleOf,
  turned,
} from './page-layout.ts'

const A4 = { width: 800, height: 1130 }
const view = { width: 1032, height: 800 }

test('a wide image is shown at half its pixels, a small image at all of them', () => {
  expect(naturalSize({ width: 1600, height: 2260 })).toEqual(A4)
  expect(naturalSize({ width: 300, height: 150 })).toEqual({ width: 300, height: 150 })
})

test('pages lie below one another, centred, and their places do not wait for images', () => {
  const { boxes, height, width } = layOut([A4, turned(A4, 90)], 0.5, 1032)
  expect(boxes[0]).toEqual({ top: MARGIN, left: 316, width: 400, height: 565 })
  expect(boxes[1]).toEqual({ top: 2 * MARGIN + 565, left: 233.5, width: 565, height: 400 })
  expect([width, height]).toEqual([1032, 965 + 3 * MARGIN])
})

test('fitting uses the width of the widest page, or the whole current page', () => {
  expect(scaleOf('width', view, [A4, { width: 1000, height: 500 }], 1)).toBe(1)
  expect(scaleOf('page', view, [A4], 1)).toBeCloseTo(768 / 1130)
  expect(scaleOf('auto', view, [A4], 1)).toBe(1.25)
  expect(scaleOf('auto', { width: 4000, height: 800 }, [A4], 1)).toBe(2)
  expect(scaleOf('auto', view, [{ width: 300, height: 150 }], 1)).toBe(1)
})

test('zooming goes through round steps and stops at the limits', () => {
  expect(nextStep(1.1, 1)).toBe(1.25)
  expect(nextStep(1.1, -1)).toBe(1)
  expect(nextStep(5, 1)).toBe(5)
})

test('only pages in view and their neighbours are drawn, however many there are', () => {
  const many = layOut(
    Array.from({ length: 5000 }, () => A4),
    1,
    1032,
  )
  const top = many.boxes[2499]?.top ?? 0
  expect(inSight(many, top, 800)).toEqual({ first: 2498, last: 2500 })
  expect(mainPage(many, top, 800)).toBe(2500)
})

test('the content in view stays in place when the scale changes', () => {
  const before = layOut([A4, A4, A4], 1, 1032)
  const after = layOut([A4, A4, A4], 2, 1032)
  const place = positionAt(before, 2000)
  expect(place.index).toBe(1)
  expect(positionAt(after, heightOf(after, place)).share).toBeCloseTo(place.share)
})
