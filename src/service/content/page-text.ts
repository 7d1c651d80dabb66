import type { FindableFile, SelectableFile } from '../access/scopes.ts'
import { nextTurn } from '../base/turns.ts'
import { finderOf, type FindQuestion, MAX_PAGE_HITS, type TextBox } from '../documents/pages/find-in-page.ts'
import { sourceOf } from '../documents/pages/page-images.ts'
import { countPages } from '../documents/pages/pages-of.ts'
import { PAGES_TOGETHER } from '../documents/pages/page-texts.ts'
import type { Services } from '../http/context.ts'
import type { VersionDocument } from '../store/documents/documents.ts'

/** The text of a page with the boxes of its words; undefined if there is no such page. */
export async function textOf({ pageTexts }: Services, file: SelectableFile, document: VersionDocument, page: number) {
  if (page > countPages(document)) return undefined
  for await (const { text, words, partial } of pageTexts.read(file, document, page, page)) {
    return {
      file_id: file.id,
      version: document.version,
      page_number: page,
      text,
      words: words.map(([start, end, x, y, width, height]) => ({ start, end, x, y, width, height })),
      is_partial: partial,
    }
  }
  return undefined
}

/** After this many milliseconds or hits an answer ends, and names the page to go on with; sooner if there are hits. */
const FIND_MS = 300
const FOUND_MS = 50
const MAX_HITS = 1000

export async function hitsIn(
  services: Services,
  file: FindableFile,
  document: VersionDocument,
  { from, ...question }: FindQuestion & { from: number },
) {
  const find = finderOf(question)
  const pages: { page_number: number; hits: TextBox[][] }[] = []
  const begun = performance.now()
  let [next_page, count, is_partial]: [number | null, number, boolean] = [null, 0, false]
  for await (const text of services.pageTexts.read(file, document, from)) {
    const hits = find(text)
    if (hits.length > 0) {
      if (pages.length === 0) drawAhead(services, file, document, text.page)
      pages.push({ page_number: text.page, hits })
    }
    count += hits.length
    is_partial ||= text.partial || hits.length >= MAX_PAGE_HITS
    // Pages that are read together are searched together, so that no answer goes without a result for long.
    const isLate =
      text.page % PAGES_TOGETHER === 0 && performance.now() - begun > (pages.length > 0 ? FOUND_MS : FIND_MS)
    if ((isLate || count >= MAX_HITS) && text.page < countPages(document)) {
      next_page = text.page + 1
      break
    }
    await nextTurn()
  }
  return {
    file_id: file.id,
    version: document.version,
    pages,
    total_pages: countPages(document),
    next_page,
    is_partial,
  }
}

/** Draws the page of the first hit, for which the reader will ask next. Nothing of it is sent. */
function drawAhead({ pages }: Services, file: FindableFile, document: VersionDocument, page: number): void {
  pages.read(sourceOf(document), page, 'page', { user: file.folder.workspace.actor.id }).catch(() => {})
}
