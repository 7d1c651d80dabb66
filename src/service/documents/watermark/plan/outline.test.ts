import { expect, test } from 'vitest'
import { canBeWritten, outlineOf } from './outline.ts'

test.each([
  ['Latin', 'Zoë Łukaszewicz'],
  ['Greek and Cyrillic', 'Ωμέγα Жуковский'],
  ['Chinese', '張偉 李娜'],
  ['Japanese', '山﨑 たろう カナ'],
  ['Korean', '김철수'],
  ['Arabic', 'محمد علي'],
  ['Hebrew', 'דוד כהן'],
  ['Devanagari', 'नरेंद्र'],
  ['Thai', 'สมชาย'],
  ['Armenian', 'Արամ'],
  ['Georgian', 'გიორგი'],
  ['Bengali', 'রবীন্দ্রনাথ'],
  ['Tamil', 'தமிழ்'],
  ['emoji', '😀🎉'],
])('%s is drawn with shipped fonts', (_, text) => {
  const { steps, width } = outlineOf(text)
  expect(canBeWritten(text)).toBe(true)
  expect(steps.length).toBeGreaterThan(20)
  expect(width).toBeGreaterThan(1)
})

test('a character that no font has is drawn as a replacement, never as nothing', () => {
  expect(canBeWritten('ᚠ')).toBe(false)
  expect(outlineOf('ᚠ').steps.length).toBeGreaterThan(4)
})

test('Arabic letters join: together they are narrower than apart', () => {
  const apart = [...'محمد'].reduce((width, letter) => width + outlineOf(letter).width, 0)
  expect(outlineOf('محمد').width).toBeLessThan(apart)
})

test('right-to-left text is drawn from right to left, but numbers in it are not', () => {
  const start = (text: string) => outlineOf(text).steps[0]?.[1] ?? 0
  // The first step belongs to the leftmost glyph: the second letter of "אב", and the number of "אב 12".
  expect(outlineOf('אב').steps[0]).toEqual(outlineOf('ב').steps[0])
  expect(outlineOf('אב 12').steps.slice(0, 5)).toEqual(outlineOf('12').steps.slice(0, 5))
  expect(start('a')).toBeGreaterThanOrEqual(0)
})

test('an empty line has no shape', () => {
  expect(outlineOf('')).toEqual({ steps: [], width: 0 })
})
