import { isInDraft } from './use-drafts.ts'
import { t } from '@lingui/core/macro'
import { FLAGS, type Flag } from '../../../../contract/endpoints/permissions.ts'
import { bitOf } from '../../../../contract/rules.ts'
import { differsBelow } from '../changes/change-rights.ts'
import { describeChange, describeCount, describeExceptions, describeSome } from '../changes/describe-change.ts'
import type { GridGroup } from '../grid/grid-row.tsx'
import type { PermissionSheet } from './permission-sheet.ts'
import type { IsStaged } from '../staging/use-is-staged.ts'
import type { Count, Reaches } from './use-reach-of-rows.ts'
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

function stateOf(sheet: PermissionSheet, groupId: number, folderId: number, flag: Flag, count?: Count): CellState {
  const { rights } = sheet.column(groupId)
  const own = rights.get(folderId) ?? 0
  const isOther = count !== undefined && count.having !== (own & bitOf(flag) ? count.all : 0)
  return cellState(own, flag, differsBelow(sheet.tree, rights, folderId) | (isOther ? bitOf(flag) : 0))
}

/** What the grid knows beside the rights of the sheet. */
export interface AboutCells extends Reaches {
  drafts: ReadonlySet<number>
  /** Undefined while the grid shows the rights as they are. */
  isStaged: IsStaged | undefined
}

/**
 * The states of all cells of a row, with the count after a colon where the folders below differ, and a star where a change is
 * staged: "on* mixed:4/5 off".
 */
export function statesOf(
  sheet: PermissionSheet,
  groups: readonly GridGroup[],
  folderId: number,
  { countOf, isStaged }: AboutCells,
): string {
  const cells = groups.flatMap((group) =>
    FLAGS.map((flag) => {
      const count = countOf(folderId, group.id, flag)
      const state = stateOf(sheet, group.id, folderId, flag, count)
      const counted = state === 'mixed' && count ? `${state}:${count.having}/${count.all}` : state
      return isStaged?.(folderId, group.id, flag) ? `${counted}*` : counted
    }),
  )
  return cells.join(' ')
}

export function verbAt(sheet: PermissionSheet, cell: Cell, revoke: boolean): Verb {
  return verbFor(stateOf(sheet, cell.group.id, cell.folderId, cell.flag), revoke)
}

/** Returns what a cell means and what a click will do, or why a click does nothing. */
export function hintFor(sheet: PermissionSheet, cell: Cell, { countOf, drafts, isStaged }: AboutCells): string[] {
  const { folderId, group, flag } = cell
  const node = sheet.tree.nodes.get(folderId)
  if (!node) return []
  const count = countOf(folderId, group.id, flag)
  const state = stateOf(sheet, group.id, folderId, flag, count)
  if (group.locked) return [group.locked]
  const { rights } = sheet.column(group.id)
  const lines = [describeChange(node, rights.get(folderId) ?? 0, verbFor(state, false), flag)]
  if (state === 'mixed') {
    const isLater = ((rights.get(folderId) ?? 0) & bitOf(flag)) !== 0
    lines.unshift(count ? describeCount(count, flag, isLater) : describeSome(flag))
    if (count) lines.splice(1, 0, ...exceptionsIn(sheet, cell, count))
    lines.push(t`With Alt or Del: revoke it everywhere instead.`)
  }
  if (state === 'implied') lines.unshift(t`Granted, because download or upload needs it.`)
  if (isStaged?.(folderId, group.id, flag)) lines.unshift(stagedText(group.name))
  if (isStaged) lines.push(t`A click stages it: it applies once it is published.`)
  if (isInDraft(sheet.tree, folderId, drafts)) lines.push(t`A draft: its rights apply once it is published.`)
  return lines
}

const NAMED = 2

/** Names the folders below without the right, if all of them are shown direct subfolders and few. */
function exceptionsIn(sheet: PermissionSheet, { folderId, group, flag }: Cell, { having, all }: Count): string[] {
  const { rights } = sheet.column(group.id)
  const lacking = (sheet.tree.levels.get(folderId) ?? []).filter((id) => !((rights.get(id) ?? 0) & bitOf(flag)))
  if (lacking.length === 0 || lacking.length > NAMED || lacking.length !== all - having) return []
  return [describeExceptions(lacking.map((id) => sheet.tree.nodes.get(id)?.name ?? ''))]
}

const stagedText = (group: string) => t`Staged for ${group} on this folder.`
