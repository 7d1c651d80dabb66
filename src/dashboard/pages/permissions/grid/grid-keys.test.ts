import { describe, expect, it } from 'vitest'
import { actFor, type Key, type RowFacts } from './grid-keys.ts'

const size = { rows: 50, columns: 4, page: 10 }
const closed: RowFacts = { expandable: true, expanded: false, parentRow: 2 }
const open: RowFacts = { ...closed, expanded: true }
const press = (key: string, more: Partial<Key> = {}): Key => ({
  key,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  ...more,
})
const at = (row: number, column: number) => ({ row, column })
const go = (row: number, column: number) => ({ act: 'go', to: at(row, column) })

describe('keys in the grid', () => {
  it.each([
    ['right on a closed folder expands it', press('ArrowRight'), at(5, 0), closed, { act: 'expand' }],
    ['right on an open folder goes to the first right', press('ArrowRight'), at(5, 0), open, go(5, 1)],
    ['right stops at the last column', press('ArrowRight'), at(5, 3), open, go(5, 3)],
    ['left on the first right goes to the folder', press('ArrowLeft'), at(5, 1), open, go(5, 0)],
    ['left on an open folder collapses it', press('ArrowLeft'), at(5, 0), open, { act: 'collapse' }],
    ['left on a closed folder goes to its parent', press('ArrowLeft'), at(5, 0), closed, go(2, 0)],
    ['down keeps the column', press('ArrowDown'), at(5, 2), closed, go(6, 2)],
    ['page down stops at the end', press('PageDown'), at(45, 2), closed, go(49, 2)],
    ['home goes to the folder', press('Home'), at(5, 2), closed, go(5, 0)],
    ['ctrl+end goes to the last cell', press('End', { ctrlKey: true }), at(5, 2), closed, go(49, 3)],
    ['space changes a right', press(' '), at(5, 2), closed, { act: 'change', revoke: false }],
    ['alt+enter revokes', press('Enter', { altKey: true }), at(5, 2), closed, { act: 'change', revoke: true }],
    ['delete revokes', press('Delete'), at(5, 2), closed, { act: 'change', revoke: true }],
    ['enter on a closed folder expands it', press('Enter'), at(5, 0), closed, { act: 'expand' }],
    ['a letter finds', press('f'), at(5, 0), closed, { act: 'find', letter: 'f' }],
    ['ctrl+f stays with the browser', press('f', { ctrlKey: true }), at(5, 0), closed, undefined],
  ])('%s', (_, key, place, row, act) => expect(actFor(key, place, row, size)).toEqual(act))
})
