import { plural, t } from '@lingui/core/macro'
import { messageOf } from '../../../api/failures.ts'
import { noticeSignedOut } from '../../../api/query-client.ts'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { describeDone } from './describe-change.ts'
import type { PermissionSheet } from '../sheet/permission-sheet.ts'
import { type Cell, verbAt } from '../sheet/sheet-cells.ts'
import type { Done } from './undo-history.ts'

/**
 * Changes rights first on the screen, then in the service. Offers undo if the service returns an inverse.
 * @param onStaged told of each change that is staged; undefined if changes are made at once
 */
export function useRightChanges(sheet: PermissionSheet, onStaged: (() => void) | undefined) {
  const toasts = useToasts()
  const failed = (failure: unknown) => {
    noticeSignedOut(failure)
    toasts.failed(messageOf(failure))
  }
  const undo = async (done = sheet.history.last) => {
    if (!done) return
    const { text } = done
    const isUndone = await sheet.takeBack(done).catch(failed)
    if (isUndone) toasts.done(t`Undone: ${text}`)
    else if (isUndone === false) toasts.failed(t`Rights were changed elsewhere since, so this cannot be taken back.`)
  }
  const did = (done: Done) => toasts.done(done.text, () => void undo(done))

  const change = async (cell: Cell, revoke: boolean) => {
    const { folderId, group, flag } = cell
    if (group.locked) return toasts.failed(group.locked)
    const node = sheet.tree.nodes.get(folderId)
    if (!node) return
    const verb = verbAt(sheet, cell, revoke)
    const done = describeDone(node, verb, flag, group.name)
    const text = onStaged ? t`Once published: ${done}` : done
    try {
      const inverse = await sheet.change(group.id, { folderId, verb, flag })
      onStaged?.()
      if (inverse.length === 0) return toasts.done(text)
      did(sheet.changed(text, group.id, folderId, inverse))
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

  return { change, toggle, expandAll, failed, undo: () => void undo(), did }
}
