import { useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { FLAGS } from '../../../../contract/endpoints/permissions.ts'
import { SIZES } from '../../../theme.ts'
import { findByName, useTyped } from '../../../ui/fields/typeahead.ts'
import { ancestors, ROOT } from '../sheet/folder-tree.ts'
import { actFor, type GridAct, type RowFacts } from './grid-keys.ts'
import type { GridGroup } from './grid-row.tsx'
import type { RowWindow } from './grid-rows.tsx'
import type { PermissionSheet } from '../sheet/permission-sheet.ts'
import { type Cell, cellAt } from '../sheet/sheet-cells.ts'

interface Stop {
  folderId: number
  column: number
}

/** The only tab stop of the grid: the wanted place, or the nearest ancestor that is still shown. */
export function useGridStop(sheet: PermissionSheet, rows: readonly number[]) {
  const [wanted, setStop] = useState<Stop>({ folderId: ROOT, column: 0 })
  const folderId = [wanted.folderId, ...ancestors(sheet.tree, wanted.folderId)].find((id) => rows.includes(id)) ?? ROOT
  return { stop: { folderId, column: wanted.column }, stopRow: rows.indexOf(folderId), setStop }
}

interface GridKeysOptions extends ReturnType<typeof useGridStop> {
  sheet: PermissionSheet
  groups: readonly GridGroup[]
  rows: readonly number[]
  surface: RefObject<HTMLDivElement | null>
  window: RowWindow
  onChange: (cell: Cell, revoke: boolean) => void
  onToggle: (folderId: number) => void
  onWho: ((folderId: number) => void) | undefined
  onUndo: () => void
}

export function useGridKeys(options: GridKeysOptions): (event: KeyboardEvent) => void {
  const { sheet, groups, rows, surface, window, stop, stopRow, setStop, onChange, onToggle, onWho, onUndo } = options
  const typed = useTyped()
  const focusNext = useFocusOf(surface, stop)

  const go = (row: number, column: number) => {
    focusNext()
    setStop({ folderId: rows[row] ?? ROOT, column })
    window.scrollToIndex(row, { align: 'auto' })
  }
  const perform = (act: GridAct) => {
    const cell = cellAt(groups, stop.folderId, stop.column)
    if (act.act === 'go') return go(act.to.row, act.to.column)
    if (act.act === 'who') return onWho?.(stop.folderId)
    if (act.act === 'undo') return onUndo()
    if (act.act === 'change') return cell && onChange(cell, act.revoke)
    if (act.act !== 'find') return onToggle(stop.folderId)
    const names = rows.map((id) => sheet.tree.nodes.get(id)?.name ?? '')
    const found = findByName(names, stopRow, typed(act.letter))
    if (found !== undefined) go(found, stop.column)
  }
  return (event) => {
    const page = Math.max(1, Math.floor((surface.current?.clientHeight ?? 0) / SIZES.gridRow) - 3)
    const size = { rows: rows.length, columns: 1 + groups.length * FLAGS.length, page }
    const act = actFor(event, { row: stopRow, column: stop.column }, factsOf(sheet, rows, stop.folderId), size)
    if (!act) return
    event.preventDefault()
    perform(act)
  }
}

function factsOf(sheet: PermissionSheet, rows: readonly number[], id: number): RowFacts {
  const node = sheet.tree.nodes.get(id)
  return {
    expandable: id !== ROOT && (node?.children ?? 0) > 0,
    expanded: sheet.expanded.has(id),
    parentRow: node ? rows.indexOf(node.parentId) : -1,
  }
}

/** Focuses the tab stop after a key has moved it. A click sets the focus by itself. */
function useFocusOf(surface: RefObject<HTMLDivElement | null>, stop: Stop): () => void {
  const wanted = useRef(false)
  useLayoutEffect(() => {
    if (!wanted.current) return
    wanted.current = false
    const row = surface.current?.querySelector(`[data-folder="${stop.folderId}"]`)
    row?.querySelector<HTMLElement>(`[data-column="${stop.column}"]`)?.focus({ preventScroll: true })
  })
  return () => {
    wanted.current = true
  }
}
