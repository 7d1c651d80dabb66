import type { FolderMeta } from '../../../shared/listing/entries.ts'
import { ROOT } from '../../../shared/listing/folder-query.ts'

/** Direct subfolders by the id of their parent, as far as they are loaded. */
export type Levels = ReadonlyMap<number, readonly FolderMeta[]>

/** A row of the tree. `folder` is undefined for the root, which has no folder meta of its own here. */
export interface TreeRow {
  id: number
  folder: FolderMeta | undefined
  parentId: number | undefined
  /** 1 for the root, as `aria-level` counts. */
  level: number
  position: number
  siblings: number
  expandable: boolean
  expanded: boolean
  /** Expanded, but its subfolders are still loading. */
  loading: boolean
}

/** Returns the rows of the tree from the root down, through every expanded folder. */
export function treeRows(levels: Levels, expanded: ReadonlySet<number>): TreeRow[] {
  const rows: TreeRow[] = []
  const add = (
    id: number,
    folder: FolderMeta | undefined,
    place: Pick<TreeRow, 'parentId' | 'level' | 'position' | 'siblings'>,
  ) => {
    const below = levels.get(id)
    const expandable = below ? below.length > 0 : id === ROOT || (folder?.children ?? 0) > 0
    const isOpen = expandable && expanded.has(id)
    rows.push({ id, folder, ...place, expandable, expanded: isOpen, loading: isOpen && !below })
    if (!isOpen) return
    for (const [at, child] of (below ?? []).entries()) {
      add(child.id, child, { parentId: id, level: place.level + 1, position: at + 1, siblings: below?.length ?? 0 })
    }
  }
  add(ROOT, undefined, { parentId: undefined, level: 1, position: 1, siblings: 1 })
  return rows
}

/** Splits "0.32339.36885" into ids. */
export const idsOfPath = (idPath: string): number[] => idPath.split('.').map(Number)

/** Returns the folders above, from the root down. All must be open for the folder to be in view. */
export const idsAbove = (idPath: string): number[] => idsOfPath(idPath).slice(0, -1)

/** Whether the folder is the other folder or lies below it. */
export const isWithin = (folder: Pick<FolderMeta, 'id_path'>, other: Pick<FolderMeta, 'id_path'>): boolean =>
  folder.id_path === other.id_path || folder.id_path.startsWith(`${other.id_path}.`)

export type TreeMove = { go: number } | { expand: number } | { collapse: number } | { choose: number }

/** Returns what a key does in the tree (the tree pattern of the ARIA practices); undefined leaves it to the browser. */
export function treeKey(rows: readonly TreeRow[], at: number, key: string): TreeMove | undefined {
  const row = rows[at]
  if (!row) return undefined
  if (key === 'Enter' || key === ' ') return { choose: row.id }
  if (key === 'ArrowRight') return rightwards(rows, at, row)
  if (key === 'ArrowLeft') return leftwards(row)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[key]
  const target = to === undefined ? undefined : rows[to]
  return target && { go: target.id }
}

function rightwards(rows: readonly TreeRow[], at: number, row: TreeRow): TreeMove | undefined {
  if (!row.expandable) return undefined
  if (!row.expanded) return { expand: row.id }
  const next = rows[at + 1]
  return next?.parentId === row.id ? { go: next.id } : undefined
}

function leftwards(row: TreeRow): TreeMove | undefined {
  if (row.expanded) return { collapse: row.id }
  return row.parentId === undefined ? undefined : { go: row.parentId }
}
