import { isFile, type Entry } from './entries.ts'

export const SORT_COLUMNS = ['name', 'pages', 'changed', 'size'] as const
export type SortColumn = (typeof SORT_COLUMNS)[number]

/** Undefined means the order of the room: the numbers in front of the names. */
export type Sort = { column: SortColumn; descending: boolean } | undefined

/** Reads `name` or `-changed`; any other text means the order of the room. */
export function parseSort(text: string | null): Sort {
  const descending = text?.startsWith('-') ?? false
  const column = SORT_COLUMNS.find((each) => each === (descending ? text?.slice(1) : text))
  return column && { column, descending }
}

export const formatSort = (sort: Sort): string | undefined => sort && `${sort.descending ? '-' : ''}${sort.column}`

/** Returns the sort after a click on a column head: ascending, descending, then the order of the room. */
export function nextSort(sort: Sort, column: SortColumn): Sort {
  if (sort?.column !== column) return { column, descending: false }
  return sort.descending ? undefined : { column, descending: true }
}

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare

/** Sorts the entries, with folders always in front of files. */
export function sortEntries(entries: readonly Entry[], sort: Sort): Entry[] {
  const folders = entries.filter((entry) => entry.kind === 'folder')
  const files = entries.filter((entry) => entry.kind === 'file')
  const compare = comparison(sort)
  return [...folders.sort(compare), ...files.sort(compare)]
}

function comparison(sort: Sort): (a: Entry, b: Entry) => number {
  if (!sort) return (a, b) => a.index - b.index
  const compare = COMPARE[sort.column]
  const sign = sort.descending ? -1 : 1
  return (a, b) => sign * compare(a, b) || a.index - b.index
}

const COMPARE: Record<SortColumn, (a: Entry, b: Entry) => number> = {
  name: (a, b) => byName(a.name, b.name),
  pages: (a, b) => pagesOf(a) - pagesOf(b),
  changed: (a, b) => compareText(a.source.updated_at, b.source.updated_at),
  size: (a, b) => sizeOf(a) - sizeOf(b),
}

const pagesOf = (entry: Entry) => (isFile(entry) ? entry.source.pages : 0)
/** In bytes. A folder has no size of its own and counts as 0. */
export const sizeOf = (entry: Entry): number => (isFile(entry) ? Number(entry.source.file_size) : 0)
/** ISO times of one zone sort as text. */
const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Returns the entries whose name contains every word of the text. */
export function filterEntries(entries: readonly Entry[], text: string): readonly Entry[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries
  return entries.filter((entry) => {
    const name = entry.name.toLocaleLowerCase()
    return words.every((word) => name.includes(word))
  })
}
