import { expect, test } from 'vitest'
import { folderNamed } from '../testing/entries.ts'
import { idsAbove, isWithin, treeKey, treeRows, type Levels } from './tree-rows.ts'

const levels: Levels = new Map([
  [0, [folderNamed(1, 'Corporate'), folderNamed(2, 'Finance', { children: 2 })]],
  [
    2,
    [
      folderNamed(21, 'Audited accounts', { parent_id: 2 }),
      folderNamed(22, 'Forecasts', { children: 1, parent_id: 2 }),
    ],
  ],
])
const ids = (expanded: number[]) => treeRows(levels, new Set(expanded)).map((row) => row.id)

test('only expanded folders show their subfolders', () => {
  expect(ids([])).toEqual([0])
  expect(ids([0])).toEqual([0, 1, 2])
  expect(ids([0, 2])).toEqual([0, 1, 2, 21, 22])
})

test('a row knows its level and its place among its siblings', () => {
  const row = treeRows(levels, new Set([0, 2])).find(({ id }) => id === 22)
  expect(row).toMatchObject({ level: 3, position: 2, siblings: 2, parentId: 2, expandable: true })
})

test('an expanded folder says that its subfolders are still loading', () => {
  const row = treeRows(levels, new Set([0, 2, 22])).at(-1)
  expect(row).toMatchObject({ id: 22, expanded: true, loading: true })
})

test('a folder that turns out to have no subfolders cannot be expanded', () => {
  const emptied = new Map([...levels, [22, []]])
  expect(treeRows(emptied, new Set([0, 2, 22])).at(-1)).toMatchObject({ expandable: false, expanded: false })
})

test('right opens, then goes in; left closes, then goes out', () => {
  const closed = treeRows(levels, new Set([0]))
  const open = treeRows(levels, new Set([0, 2]))
  expect(treeKey(closed, 2, 'ArrowRight')).toEqual({ expand: 2 })
  expect(treeKey(open, 2, 'ArrowRight')).toEqual({ go: 21 })
  expect(treeKey(open, 2, 'ArrowLeft')).toEqual({ collapse: 2 })
  expect(treeKey(open, 3, 'ArrowLeft')).toEqual({ go: 2 })
  expect(treeKey(open, 1, 'ArrowRight')).toBeUndefined()
})

test('Home, End and the arrows go through the visible rows and stop at the ends', () => {
  const rows = treeRows(levels, new Set([0]))
  expect(treeKey(rows, 0, 'End')).toEqual({ go: 2 })
  expect(treeKey(rows, 2, 'Home')).toEqual({ go: 0 })
  expect(treeKey(rows, 2, 'ArrowDown')).toBeUndefined()
})

test('the folders above come from the id path', () => {
  expect(idsAbove('0.2.21')).toEqual([0, 2])
  expect(idsAbove('0')).toEqual([])
})

test('a folder is within itself and the folders above it, not within a folder whose path only begins alike', () => {
  expect(isWithin({ id_path: '0.2.21' }, { id_path: '0.2' })).toBe(true)
  expect(isWithin({ id_path: '0.2' }, { id_path: '0.2' })).toBe(true)
  expect(isWithin({ id_path: '0.21' }, { id_path: '0.2' })).toBe(false)
})
