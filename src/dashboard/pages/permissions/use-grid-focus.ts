import { useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { FLAGS } from '../../../contract/permissions.ts'
import { ancestors, ROOT } from './folder-tree.ts'
import { actFor, type GridAct } from './grid-keys.ts'
import type { GridGroup } from './grid-row.tsx'
import type { RowWindow } from './grid-rows.tsx'
import type { PermissionSheet } from './permission-sheet.ts'
import { type Cell, cellAt } from './sheet-cells.ts'
import { findTyped, useTyped } from './typeahead.ts'
import { SIZES } from '../../theme.ts'

interface Stop {
  folderId: number
  column: number
}

interface GridFocusOptions {
  sheet: PermissionSheet
  groups: readonly GridGroup[]
  rows: readonly number[]
  surface: RefObject<HTMLDivElement | null>
  onChange: (cell: Cell, revoke: boolean) => void
  onToggle: (folderId: number) => void
}

/** The roving tab stop of the grid and what the keys do with it. */
export function useGridFocus({ sheet, groups, rows, surface, onChange, onToggle }: GridFocusOptions) {
  const [wanted, setStop] = useState<Stop>({ folderId: ROOT, column: 0 })
  const typed = useTyped()
  const moved = useRef(false)
  const windowOf = useRef<RowWindow>(null)
  const stop = shownStop(sheet, rows, wanted)
  const stopRow = rows.indexOf(stop.folderId)

  useLayoutEffect(() => {
    if (!moved.current) return
    moved.current = false
    const row = surface.current?.querySelector(`[data-folder="${stop.folderId}"]`)
    row?.querySelector<HTMLElement>(`[data-column="${stop.column}"]`)?.focus({ preventScroll: true })
  })

  const go = (row: number, column: number) => {
    moved.current = true
    setStop({ folderId: rows[row] ?? ROOT, column })
    windowOf.current?.scrollToIndex(row, { align: 'auto' })
  }
  const perform = (act: GridAct) => {
    const cell = cellAt(groups, stop.folderId, stop.column)
    if (act.act === 'go') return go(act.to.row, act.to.column)
    if (act.act === 'change') return cell && onChange(cell, act.revoke)
    if (act.act !== 'find') return onToggle(stop.folderId)
    const found = findTyped(rows, stopRow, typed(act.letter), (id) => sheet.tree.nodes.get(id)?.name ?? '')
    if (found >= 0) go(found, stop.column)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const node = sheet.tree.nodes.get(stop.folderId)
    if (!node) return
    const facts = {
      expandable: node.children > 0 && node.id !== ROOT,
      expanded: sheet.expanded.has(node.id),
      parentRow: rows.indexOf(node.parentId),
    }
    const page = Math.max(1, Math.floor((surface.current?.clientHeight ?? 0) / SIZES.gridRow) - 3)
    const size = { rows: rows.length, columns: 1 + groups.length * FLAGS.length, page }
    const act = actFor(event, { row: stopRow, column: stop.column }, facts, size)
    if (!act) return
    event.preventDefault()
    perform(act)
  }
  const bind = (window: RowWindow) => {
    windowOf.current = window
  }
  return { stop, stopRow, setStop, onKeyDown, bind }
}

/** The wanted place, or the nearest ancestor that is still shown. */
function shownStop(sheet: PermissionSheet, rows: readonly number[], wanted: Stop): Stop {
  const folderId = [wanted.folderId, ...ancestors(sheet.tree, wanted.folderId)].find((id) => rows.includes(id)) ?? ROOT
  return { folderId, column: wanted.column }
}
