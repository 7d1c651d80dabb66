import type { Reply } from '../endpoint.ts'
import type { engagement } from '../endpoints/deal/engagement.ts'

/** How long the pages of a document were read by some readers, and where these stop. */
export type GroupPages = Pick<Reply<typeof engagement.file>['groups'][number], 'page_times' | 'stops' | 'readers'>

/** One field of a strip: one page, or several pages of a long document. */
export interface Span {
  first: number
  last: number
  /** Milliseconds per page and reader. */
  ms: number
}

const MOST_SPANS = 60

/** The reading time of a group along the document, in at most 60 spans of equal length. */
export function spansOf({ page_times, readers }: GroupPages, pages: number): Span[] {
  const length = Math.max(1, Math.ceil(pages / MOST_SPANS))
  const spans = Array.from({ length: Math.ceil(pages / length) }, (_, at) => {
    return { first: at * length + 1, last: Math.min(pages, (at + 1) * length), ms: 0 }
  })
  for (const { page_number, ms } of page_times) {
    const span = spans[Math.floor((page_number - 1) / length)]
    if (span) span.ms += ms / Math.max(1, readers) / (span.last - span.first + 1)
  }
  return spans
}

/** The page at which most readers stop, unless it is the last page of the document. */
export interface DropOff {
  page: number
  left: number
  of: number
  /** Nobody goes on. */
  isEnd: boolean
}

export function dropOffOf({ stops }: GroupPages, pages: number): DropOff | undefined {
  const early = stops.filter(({ page_number }) => page_number < pages)
  const most = early.reduce<(typeof early)[number] | undefined>(
    (best, stop) => (best && best.readers > stop.readers ? best : stop),
    undefined,
  )
  if (!most) return undefined
  const of = readersOf(stops)
  return { page: most.page_number, left: most.readers, of, isEnd: stops.at(-1) === most }
}

const readersOf = (stops: GroupPages['stops']) => stops.reduce((sum, { readers }) => sum + readers, 0)

/** The share of readers who reach each page: where it changes, as `[page, share]` from 1 to the last page. */
export function reachOf({ stops }: GroupPages, pages: number): [page: number, share: number][] {
  const all = readersOf(stops)
  if (all === 0) return []
  const points: [number, number][] = [[1, 1]]
  let left = all
  for (const { page_number, readers } of stops) {
    points.push([page_number, left / all])
    left -= readers
    if (page_number < pages) points.push([page_number + 1, left / all])
  }
  const last = points.at(-1)
  if (last && last[0] < pages) points.push([pages, last[1]])
  return points
}

/** The pages that were read longest, by all groups together. */
export function longestPages(groups: readonly GroupPages[], count: number): { page: number; ms: number }[] {
  const sums = new Map<number, number>()
  for (const { page_times } of groups)
    for (const { page_number, ms } of page_times) sums.set(page_number, (sums.get(page_number) ?? 0) + ms)
  const pages = [...sums].map(([page, ms]) => ({ page, ms }))
  return pages.toSorted((a, b) => b.ms - a.ms || a.page - b.page).slice(0, count)
}

/** Strength from 0 to 5 of a time among times up to `most`. Finer for short times. */
export const stepOf = (ms: number, most: number) => Math.min(5, Math.floor(Math.sqrt(ms / Math.max(1, most)) * 6))

/** The pages that are named below a plot. */
export const namedPages = (pages: number): number[] => [...new Set([1, Math.round(pages / 2), pages])]
