import type { Reply } from '../../../../contract/endpoint.ts'
import type { api } from '../../../../contract/index.ts'

export type FileHits = Reply<typeof api.files.find>
export type PageHits = FileHits['pages'][number]
type TextBox = PageHits['hits'][number][number]

export interface FindQuestion {
  q: string
  each_word: boolean
  match_case: boolean
  whole_words: boolean
}

export const NO_QUESTION: FindQuestion = { q: '', each_word: false, match_case: false, whole_words: false }

/** A hit by its page and by its place among the hits of the page, from 0. */
export interface Hit {
  page: number
  at: number
}

export interface Found {
  /** Pages with hits, in order. */
  pages: readonly PageHits[]
  count: number
  /** All pages are searched, or as many as are searched. */
  isComplete: boolean
  /** There may be more hits than `count`. */
  isPartial: boolean
  failure?: string
}

export const NOTHING: Found = { pages: [], count: 0, isComplete: false, isPartial: false }

export const countOf = (pages: readonly PageHits[]): number => pages.reduce((sum, { hits }) => sum + hits.length, 0)

function hitAt(pages: readonly PageHits[], index: number): Hit | undefined {
  let left = index
  for (const { page_number, hits } of pages) {
    if (left < hits.length) return { page: page_number, at: left }
    left -= hits.length
  }
  return undefined
}

/** Returns the place of a hit among all, from 0. */
export const indexOf = (pages: readonly PageHits[], { page, at }: Hit): number =>
  countOf(pages.filter(({ page_number }) => page_number < page)) + at

/** Returns the hit after or before another one; after the last comes the first. */
export function stepFrom(pages: readonly PageHits[], hit: Hit | undefined, step: 1 | -1): Hit | undefined {
  const count = countOf(pages)
  if (count === 0) return undefined
  const before = hit ? indexOf(pages, hit) : step === 1 ? -1 : 0
  return hitAt(pages, (before + step + count) % count)
}

export const boxesOf = (pages: readonly PageHits[], { page, at }: Hit): readonly TextBox[] =>
  pages.find(({ page_number }) => page_number === page)?.hits[at] ?? []
