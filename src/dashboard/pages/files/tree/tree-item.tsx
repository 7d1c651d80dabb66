import { t } from '@lingui/core/macro'
import { ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { DraftChip } from '../../../shared/listing/draft-chip.tsx'
import { FolderIcon } from '../../../shared/file-icon.tsx'
import { nameOfFolder } from '../../../shared/listing/entries.ts'
import type { TreeRow } from './tree-rows.ts'

interface TreeItemProps {
  row: TreeRow
  name: string
  domId: string
  top: number
  height: number
  current: boolean
  active: boolean
  /** Whether a drag is over the row. */
  target: boolean
  /** Whether the folder has unread documents below it. */
  unread: boolean
  /** Why the folder cannot be chosen. */
  refusal: string | undefined
}

const INDENT = 16

export const TreeItem = memo(function TreeItem({
  row,
  name,
  domId,
  top,
  height,
  current,
  active,
  target,
  unread,
  refusal,
}: TreeItemProps) {
  return (
    <div
      id={domId}
      role="treeitem"
      data-folder={row.id}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-selected={current}
      aria-expanded={row.expandable ? row.expanded : undefined}
      aria-disabled={refusal !== undefined}
      aria-busy={row.loading || undefined}
      title={refusal ? `${name}: ${refusal}` : name}
      className={classesOf({
        active,
        target,
        unread,
        loading: row.loading,
        passage: row.folder?.path_node === true || row.folder?.draft === true,
      })}
      style={{ transform: `translateY(${top}px)`, height, paddingLeft: 4 + (row.level - 1) * INDENT }}
    >
      <span className="chevron" data-chevron={row.expandable || undefined}>
        {row.expandable && <ChevronRight size={15} aria-hidden />}
      </span>
      <FolderIcon size={17} />
      <span className="name">{name}</span>
      {unread && <span className="unseen">{t`Has unread documents`}</span>}
      {row.folder?.draft && <DraftChip>{t({ message: 'Draft', context: 'folder' })}</DraftChip>}
    </div>
  )
})

const classesOf = (present: Record<string, boolean>) =>
  ['item', ...Object.keys(present).filter((name) => present[name])].join(' ')

/** "2 Finance"; the root has the name of the workspace. */
export function nameOfRow(row: TreeRow, workspaceName: string): string {
  return row.folder ? nameOfFolder(row.folder) : workspaceName
}
