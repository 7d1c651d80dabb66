import { expect, test } from 'vitest'
import { fileKey } from './entries.ts'
import { arrow, choose, chooseAll, click, NOTHING, orderOf, retain, type Selection } from './selection.ts'

const order = orderOf([1, 2, 3, 4, 5].map(fileKey))
const plain = { shiftKey: false, ctrlKey: false, metaKey: false }
const shift = { ...plain, shiftKey: true }
const ctrl = { ...plain, ctrlKey: true }
const chosen = (selection: Selection) => [...selection.chosen].sort()
const keys = (...ids: number[]) => ids.map(fileKey)

test('a click chooses one line and drops the others', () => {
  const both = click(choose(fileKey(1)), order, fileKey(3), ctrl)
  expect(chosen(both)).toEqual(keys(1, 3))
  expect(chosen(click(both, order, fileKey(2), plain))).toEqual(keys(2))
})

test('Ctrl with a click drops a chosen line', () => {
  expect(chosen(click(choose(fileKey(1)), order, fileKey(1), ctrl))).toEqual([])
})

test('Shift chooses from the anchor, in both directions, and the anchor stays', () => {
  const down = click(choose(fileKey(3)), order, fileKey(5), shift)
  expect(chosen(down)).toEqual(keys(3, 4, 5))
  expect(chosen(click(down, order, fileKey(1), shift))).toEqual(keys(1, 2, 3))
})

test('Ctrl with Shift adds a range to the chosen lines', () => {
  const two = click(choose(fileKey(1)), order, fileKey(4), ctrl)
  expect(chosen(click(two, order, fileKey(5), { ...ctrl, shiftKey: true }))).toEqual(keys(1, 4, 5))
})

test('arrows choose, with Shift they extend, with Ctrl they only move', () => {
  const second = arrow(choose(fileKey(1)), order, { key: 'ArrowDown', ...plain }, 3)
  expect(second && chosen(second)).toEqual(keys(2))
  const range = arrow(choose(fileKey(2)), order, { key: 'PageDown', ...shift }, 3)
  expect(range && chosen(range)).toEqual(keys(2, 3, 4, 5))
  const moved = arrow(choose(fileKey(2)), order, { key: 'End', ...ctrl }, 3)
  expect(moved && [chosen(moved), moved.active]).toEqual([keys(2), fileKey(5)])
})

test('arrows stop at both ends, and begin at an end if no line is active', () => {
  expect(arrow(choose(fileKey(5)), order, { key: 'ArrowDown', ...plain }, 3)?.active).toBe(fileKey(5))
  expect(arrow(NOTHING, order, { key: 'ArrowDown', ...plain }, 3)?.active).toBe(fileKey(1))
  expect(arrow(NOTHING, order, { key: 'ArrowUp', ...plain }, 3)?.active).toBe(fileKey(5))
})

test('no key moves in an empty folder', () => {
  expect(arrow(NOTHING, orderOf([]), { key: 'ArrowDown', ...plain }, 3)).toBeUndefined()
})

test('other keys are left alone', () => {
  expect(arrow(choose(fileKey(1)), order, { key: 'x', ...plain }, 3)).toBeUndefined()
})

test('lines that are gone leave the selection; an unchanged selection stays the same object', () => {
  const all = chooseAll(NOTHING, order)
  expect(retain(all, order)).toBe(all)
  const fewer = retain(all, orderOf(keys(2, 3)))
  expect(chosen(fewer)).toEqual(keys(2, 3))
  expect(fewer.active).toBe(fileKey(2))
})
