/** A place in the grid: the number of the row, and the column. Column 0 is the folder's name. */
export interface Place {
  row: number
  column: number
}

export interface RowFacts {
  expandable: boolean
  expanded: boolean
  /** Row of the parent folder; -1 for All Folders. */
  parentRow: number
}

export interface GridSize {
  rows: number
  columns: number
  /** Number of rows in view, for the page keys. */
  page: number
}

export type GridAct =
  | { act: 'go'; to: Place }
  | { act: 'expand' | 'collapse' | 'who' | 'undo' }
  | { act: 'change'; revoke: boolean }
  | { act: 'find'; letter: string }

export interface Key {
  key: string
  altKey: boolean
  ctrlKey: boolean
  metaKey: boolean
}

/** Returns what a key does at a place; undefined leaves the key to the browser. */
export function actFor(key: Key, at: Place, row: RowFacts, size: GridSize): GridAct | undefined {
  const command = key.ctrlKey || key.metaKey
  if (command && key.key.toLowerCase() === 'i') return { act: 'who' }
  if (command && key.key.toLowerCase() === 'z') return { act: 'undo' }
  if (key.key === ' ' || key.key === 'Enter') return press(key, at, row)
  if (key.key === 'Delete' && at.column > 0) return { act: 'change', revoke: true }
  if (key.key === 'ArrowRight') return rightwards(at, row, size)
  if (key.key === 'ArrowLeft') return leftwards(at, row)
  const nextRow = rowFor(key.key, command, at.row, size)
  if (nextRow !== undefined) return go(clamp(nextRow, size.rows), at.column)
  if (key.key === 'Home') return go(command ? 0 : at.row, 0)
  if (key.key === 'End') return go(command ? size.rows - 1 : at.row, size.columns - 1)
  if (key.key.length === 1 && !command && !key.altKey) return { act: 'find', letter: key.key }
  return undefined
}

const go = (row: number, column: number): GridAct => ({ act: 'go', to: { row, column } })
const clamp = (row: number, rows: number) => Math.max(0, Math.min(rows - 1, row))

function press(key: Key, at: Place, row: RowFacts): GridAct | undefined {
  if (at.column > 0) return { act: 'change', revoke: key.altKey }
  return row.expandable ? { act: row.expanded ? 'collapse' : 'expand' } : undefined
}

function rightwards(at: Place, row: RowFacts, size: GridSize): GridAct {
  if (at.column === 0 && row.expandable && !row.expanded) return { act: 'expand' }
  return go(at.row, Math.min(size.columns - 1, at.column + 1))
}

function leftwards(at: Place, row: RowFacts): GridAct {
  if (at.column > 0) return go(at.row, at.column - 1)
  if (row.expandable && row.expanded) return { act: 'collapse' }
  return go(Math.max(row.parentRow, 0), 0)
}

function rowFor(key: string, command: boolean, row: number, size: GridSize): number | undefined {
  if (command) return undefined
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: size.page, PageUp: -size.page }
  const step = steps[key]
  return step === undefined ? undefined : row + step
}
