import type { FindableFile } from '../../access/scopes.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import type { Document } from '../../store/documents/documents.ts'
import { DocumentFault, NO_TEXT, type PageText, type Renderer, type Work } from '../render.ts'
import type { PageCache } from './page-cache.ts'
import { type PageSource, sourceOf } from './page-images.ts'
import { countPages } from './pages-of.ts'
import type { VersionDocument } from '../../store/documents/documents.ts'

/** Pages that are read together, and kept in one file of the cache. */
export const PAGES_TOGETHER = 25

export interface PageTexts {
  /**
   * Yields the text of pages, with the places of the words, at least from one page to another, else to the end. Reads
   * ahead of what is asked for. The text of a page may be shown only to whoever may select it.
   */
  read(
    file: FindableFile,
    document: VersionDocument,
    from: number,
    to?: number,
  ): AsyncGenerator<PageText & { page: number }>
}

interface Means {
  blobs: BlobStore
  cache: PageCache
  renderer: Renderer
  /** Checks content that cannot be read for damage. May reject if the content is damaged. */
  examine: (blobId: string) => Promise<void>
}

export function createPageTexts({ blobs, cache, renderer, examine }: Means): PageTexts {
  /** Reading in progress, which concurrent requests for the same pages share. */
  const reading = new Map<string, Promise<Buffer>>()

  /** Returns one line of JSON for each page. */
  async function linesOf(source: PageSource, pages: { from: number; count: number }, work: Work): Promise<Buffer> {
    const cached = await cache.read(source.blob_id, `${pages.from}.text`)
    if (cached) return cached
    const key = `${source.blob_id} ${pages.from}`
    const known = reading.get(key)
    if (known) return known
    const lines = readAnew(source, pages, work).finally(() => reading.delete(key))
    reading.set(key, lines)
    return lines
  }

  async function readAnew(
    { blob_id, type }: PageSource,
    pages: { from: number; count: number },
    work: Work,
  ): Promise<Buffer> {
    const lines = await blobs
      .withFile(blob_id, (path) => renderer.words({ path, type }, pages, work))
      .catch(async (error: unknown) => {
        await examine(blob_id)
        if (!(error instanceof DocumentFault)) throw error
        // Cached as well: pages that used up their time once would do so on every request.
        return Array.from({ length: pages.count }, () => ({ ...NO_TEXT, partial: true }))
      })
      .then((texts) => Buffer.from(texts.map((text) => JSON.stringify(text)).join('\n')))
    // A missing cache entry costs only time.
    await cache.write(blob_id, `${pages.from}.text`, lines).catch(() => {})
    return lines
  }

  return {
    async *read(file, document, from, to = countPages(document)) {
      const source = sourceOf(document)
      const countAt = (first: number) => Math.min(PAGES_TOGETHER, countPages(document) - first + 1)
      const linesAt = (first: number) => {
        // Only PDFs have text of which the places are known.
        if (!isPdf(document)) return Promise.resolve(undefined)
        const user = file.folder.workspace.actor.id
        const lines = linesOf(source, { from: first, count: countAt(first) }, { user })
        // Whoever stops before these pages is not told of their failure.
        lines.catch(() => {})
        return lines
      }
      // Whoever asks for pages that are not there makes nobody read.
      if (from > to) return
      let first = from - ((from - 1) % PAGES_TOGETHER)
      let ahead = linesAt(first)
      for (let page = from; page <= to; first += PAGES_TOGETHER) {
        const here = ahead
        if (first + PAGES_TOGETHER <= to) ahead = linesAt(first + PAGES_TOGETHER)
        for (const line of linesFrom(await here, page - first, countAt(first))) yield { ...line(), page: page++ }
      }
    },
  }
}

const isPdf = (document: Document) => sourceOf(document).type === 'application/pdf'

/** Lines are parsed one by one, because together they may take longer than a turn of the event loop. */
function* linesFrom(lines: Buffer | undefined, skipped: number, count: number): Generator<() => PageText> {
  let start = 0
  for (let at = 0; at < count; at++) {
    const next = lines?.indexOf(10, start) ?? -1
    const end = next === -1 ? lines?.length : next
    const line = lines?.subarray(start, end)
    start = (end ?? 0) + 1
    if (at >= skipped) yield () => (line && line.length > 0 ? (JSON.parse(line.toString()) as PageText) : NO_TEXT)
  }
}
