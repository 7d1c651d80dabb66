import { naturally } from '../../ui/words/format.ts'
import type { TrashItem } from './trash.ts'

export const TRASH_COLUMNS = ['name', 'path', 'deleted', 'by', 'size'] as const
export type TrashColumn = (typeof TRASH_COLUMNS)[number]

export interface TrashSort {
  column: TrashColumn
  descending: boolean
}

export const TRASH_KINDS = ['all', 'folder', 'file'] as const
export type TrashKind = (typeof TRASH_KINDS)[number]

/** Filter and order of the list. */
export interface TrashView {
  q: string
  kind: TrashKind
  sort: TrashSort
}

const NEWEST: TrashSort = { column: 'deleted', descending: true }

/** Reads `name` or `-size`; any other text means newest first. */
export function parseTrashSort(text: string | null): TrashSort {
  const descending = text?.startsWith('-') ?? false
  const column = TRASH_COLUMNS.find((each) => each === (descending ? text?.slice(1) : text))
  return column ? { column, descending } : NEWEST
}

/** Returns undefined for newest first. */
export function formatTrashSort({ column, descending }: TrashSort): string | undefined {
  if (column === NEWEST.column && descending === NEWEST.descending) return undefined
  return `${descending ? '-' : ''}${column}`
}

/** Returns the sort after a click: texts from A, times and sizes from the greatest, reversed by another click. */
export function nextTrashSort(sort: TrashSort, column: TrashColumn): TrashSort {
  if (sort.column === column) return { column, descending: !sort.descending }
  return { column, descending: column === 'deleted' || column === 'size' }
}

export function viewOf(items: readonly TrashItem[], { q, kind, sort }: TrashView): TrashItem[] {
  const words = q.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const fits = (item: TrashItem) => {
    const text = `${item.name} ${item.numbered_path} ${item.deleted_by_name}`.toLocaleLowerCase()
    return (kind === 'all' || item.kind === kind) && words.every((word) => text.includes(word))
  }
  const sign = sort.descending ? -1 : 1
  const compare = COMPARE[sort.column]
  return items.filter(fits).sort((one, other) => sign * compare(one, other))
}

const COMPARE: Record<TrashColumn, (one: TrashItem, other: TrashItem) => number> = {
  name: (one, other) => naturally(one.name, other.name),
  path: (one, other) => naturally(one.numbered_path, other.numbered_path),
  deleted: (one, other) => Date.parse(one.deleted_at) - Date.parse(other.deleted_at),
  by: (one, other) => naturally(one.deleted_by_name, other.deleted_by_name),
  size: (one, other) => Number(one.size) - Number(other.size),
}
