import { isFile, type Entry } from './entries.ts'

export const SORT_COLUMNS = ['name', 'pages', 'changed', 'size'] as const
export type SortColumn = (typeof SORT_COLUMNS)[number]

/** Undefined is the order of the room itself: the numbers in front of the names. */
export type Sort = { column: SortColumn; descending: boolean } | undefined

/** Reads `name` or `-changed`; anything else is the order of the room. */
export function parseSort(text: string | null): Sort {
  const descending = text?.startsWith('-') ?? false
  const column = SORT_COLUMNS.find((each) => each === (descending ? text?.slice(1) : text))
  return column && { column, descending }
}

export const formatSort = (sort: Sort): string | undefined => sort && `${sort.descending ? '-' : ''}${sort.column}`

/** A click on a column head: up, down, then the order of the room again. */
export function nextSort(sort: Sort, column: SortColumn): Sort {
  if (sort?.column !== column) return { column, descending: false }
  return sort.descending ? undefined : { column, descending: true }
}

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare

/** Folders stay in front of files whatever the order. */
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
/** Bytes; folders have no size of their own. */
export const sizeOf = (entry: Entry): number => (isFile(entry) ? Number(entry.source.file_size) : 0)
/** ISO times of one zone order as text. */
const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Entries whose name holds every word of the text. */
export function filterEntries(entries: readonly Entry[], text: string): readonly Entry[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries
  return entries.filter((entry) => {
    const name = entry.name.toLocaleLowerCase()
    return words.every((word) => name.includes(word))
  })
}
