import { plural, t } from '@lingui/core/macro'
import { messageOf } from '../../api/failures.ts'
import { noticeSignedOut } from '../../api/query-client.ts'
import { useToasts } from '../../ui/toasts.tsx'
import { describeDone } from './describe-change.ts'
import type { Inverse } from './inverse.ts'
import type { PermissionSheet } from './permission-sheet.ts'
import { type Cell, verbAt } from './sheet-cells.ts'

/** Changes rights from the grid: at once on the screen, then for real, with undo where it is exact. */
export function useRightChanges(sheet: PermissionSheet) {
  const toasts = useToasts()
  const failed = (failure: unknown) => {
    noticeSignedOut(failure)
    toasts.failed(messageOf(failure))
  }
  const undo = ({ group, folderId }: Cell, inverse: Inverse) =>
    sheet.undo(group.id, folderId, inverse).then(() => toasts.done(t`Undone: the rights are as they were`), failed)

  const change = async (cell: Cell, revoke: boolean) => {
    const { folderId, group, flag } = cell
    if (group.locked) return toasts.failed(group.locked)
    const node = sheet.tree.nodes.get(folderId)
    if (!node) return
    const verb = verbAt(sheet, cell, revoke)
    const done = describeDone(node, verb, flag, group.name)
    try {
      const inverse = await sheet.change(group.id, { folderId, verb, flag })
      toasts.done(done, inverse.length > 0 ? () => void undo(cell, inverse) : undefined)
    } catch (failure) {
      failed(failure)
    }
  }

  const toggle = async (folderId: number) => {
    if (sheet.expanded.has(folderId)) return sheet.collapse(folderId)
    if (sheet.tree.nodes.get(folderId)?.children) await sheet.expand(folderId).catch(failed)
  }

  const expandAll = async () => {
    const closed = await sheet.expandAll().catch(failed)
    if (!closed) return
    toasts.done(
      plural(closed, {
        one: '# folder is still closed: there are too many to open at once',
        other: '# folders are still closed: there are too many to open at once',
      }),
    )
  }

  return { change, toggle, expandAll, failed }
}
