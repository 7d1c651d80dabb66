import { t } from '@lingui/core/macro'
import { FLAGS, type Flag } from '../../../../contract/endpoints/permissions.ts'
import { differsBelow } from '../changes/change-rights.ts'
import { describeChange, describeMixed, describeSome } from '../changes/describe-change.ts'
import type { GridGroup } from '../grid/grid-row.tsx'
import type { PermissionSheet } from './permission-sheet.ts'
import { cellState, type CellState, type Verb, verbFor } from './rights.ts'

/** One right of one group on one folder. */
export interface Cell {
  folderId: number
  group: GridGroup
  flag: Flag
}

/** `column` 0 is the folder's name, which is not a cell. */
export function cellAt(groups: readonly GridGroup[], folderId: number, column: number): Cell | undefined {
  const group = groups[Math.floor((column - 1) / FLAGS.length)]
  const flag = FLAGS[(column - 1) % FLAGS.length]
  return column > 0 && group && flag ? { folderId, group, flag } : undefined
}

function stateOf(sheet: PermissionSheet, groupId: number, folderId: number, flag: Flag): CellState {
  const { rights } = sheet.column(groupId)
  return cellState(rights.get(folderId) ?? 0, flag, differsBelow(sheet.tree, rights, folderId))
}

export function statesOf(sheet: PermissionSheet, groups: readonly GridGroup[], folderId: number): string {
  return groups.flatMap((group) => FLAGS.map((flag) => stateOf(sheet, group.id, folderId, flag))).join(' ')
}

export function verbAt(sheet: PermissionSheet, cell: Cell, revoke: boolean): Verb {
  return verbFor(stateOf(sheet, cell.group.id, cell.folderId, cell.flag), revoke)
}

/** Returns what a cell means and what a click will do, or why a click does nothing. */
export function hintFor(sheet: PermissionSheet, cell: Cell): string[] {
  const { folderId, group, flag } = cell
  const node = sheet.tree.nodes.get(folderId)
  if (!node) return []
  const state = stateOf(sheet, group.id, folderId, flag)
  if (group.locked) return [group.locked]
  const { rights } = sheet.column(group.id)
  const level = sheet.tree.levels.get(folderId)?.map((id) => rights.get(id) ?? 0)
  const lines = [describeChange(node, rights.get(folderId) ?? 0, verbFor(state, false), flag)]
  if (state === 'mixed') {
    lines.unshift(level ? describeMixed(level, flag) : describeSome(flag))
    lines.push(t`With Alt or Del: revoke it everywhere instead.`)
  }
  if (state === 'implied') lines.unshift(t`Granted, because download or upload needs it.`)
  return lines
}
