import { TERMS_PDF } from '../../../contract/endpoints/deal/terms-pdf.ts'
import { scannerAway, unprocessable } from '../../base/errors.ts'
import { mapInTurns } from '../../base/turns.ts'
import type { BlobStore, StoredBlob } from '../../blobs/blob-store.ts'
import { NotScanned, type Scanner } from '../ingest/scan.ts'
import type { PageImages } from '../pages/page-images.ts'
import { DocumentFault, ProcessEnded, type Renderer, type Work } from '../render.ts'
import { RenderFault } from '../render/faults.ts'
import type { PdfFacts } from '../../store/terms/pdfs.ts'
import { keepable } from '../text/keepable.ts'
import { detectType } from '../upload/detect-type.ts'

export interface Means {
  blobs: BlobStore
  pages: PageImages
  renderer: Pick<Renderer, 'boxes' | 'findCarried' | 'text'>
  scanner: Scanner | undefined
  config: { scanRequired: boolean }
  clock: () => Date
}

/** The field that the refusals name: the body is the file itself. */
const FILE = 'file'
const PDF = 'application/pdf'
/** Proxies wait five minutes for a reply. */
const DRAWING_MS = 240_000

/**
 * Reads a PDF that is to become terms, and draws its pages. Nobody looks at it again before members must accept it, so
 * whatever cannot be shown, or would do more than show, is refused here.
 * @throws ApiError 422 with what is wrong with it, 503 while the scanner is away
 */
export async function readTermsPdf(means: Means, blob: StoredBlob, fileName: string, work: Work): Promise<PdfFacts> {
  if ((await detectType(blob.head, fileName)) !== PDF) throw unprocessable(FILE, 'terms_format')
  const scanned_at = await scan(means, blob)
  const { boxes, texts } = await means.blobs.withFile(blob.blob_id, (path) => read(means.renderer, path, work))
  await draw(means.pages, blob, boxes.length, work)
  return {
    page_widths: boxes.map(({ width }) => width),
    page_heights: boxes.map(({ height }) => height),
    page_texts: await mapInTurns(texts, shownText),
    scanned_at,
    held: means.config.scanRequired && scanned_at === null,
  }
}

/** @returns when it was found clean; null if workers are to scan it, or if it cannot be scanned and need not be */
async function scan({ blobs, scanner, config, clock }: Means, { blob_id }: StoredBlob): Promise<Date | null> {
  if (!scanner) return null
  try {
    if ((await scanner.scan(await blobs.read(blob_id))) !== 'clean') throw unprocessable(FILE, 'terms_clean')
    return clock()
  } catch (error) {
    if (!(error instanceof NotScanned)) throw error
    if (!error.permanent) throw scannerAway()
    if (config.scanRequired) throw unprocessable(FILE, 'terms_scannable')
    return null
  }
}

async function read(renderer: Means['renderer'], path: string, work: Work) {
  const source = { path, type: PDF }
  const boxes = await twice(() => renderer.boxes(source, work)).catch(toRefusal)
  const { pages: limit, characters } = TERMS_PDF
  if (boxes.length > limit) throw unprocessable(FILE, 'terms_pages', { limit })
  const carried = await twice(() => renderer.findCarried(source, work)).catch(toRefusal)
  if (carried === 'encryption') throw unprocessable(FILE, 'terms_unlocked')
  if (carried === 'scripts') throw unprocessable(FILE, 'terms_without_scripts')
  if (carried === 'files') throw unprocessable(FILE, 'terms_without_files')
  if (carried === 'links') throw unprocessable(FILE, 'terms_without_foreign_links')
  const texts = await twice(() => renderer.text(source, boxes.length, work, characters + 1)).catch(toRefusal)
  if (texts.reduce((sum, text) => sum + text.length, 0) > characters)
    throw unprocessable(FILE, 'terms_characters', { limit: characters })
  return { boxes, texts }
}

/** The process may have ended for another reason than the document. */
const twice = <Result>(step: () => Promise<Result>): Promise<Result> =>
  step().catch((error: unknown) => {
    if (error instanceof ProcessEnded) return step()
    throw error
  })

const isOfDocument = (error: unknown): boolean => error instanceof DocumentFault || error instanceof ProcessEnded

function toRefusal(error: unknown): never {
  if (!isOfDocument(error)) throw error
  const isLocked = error instanceof RenderFault && error.fault === 'encrypted'
  const hasPages = error instanceof RenderFault && error.fault === 'pages'
  if (hasPages) throw unprocessable(FILE, 'terms_pages', { limit: TERMS_PDF.pages })
  throw unprocessable(FILE, isLocked ? 'terms_unlocked' : 'terms_readable')
}

async function draw(pages: PageImages, { blob_id }: StoredBlob, count: number, work: Work): Promise<void> {
  const end = performance.now() + DRAWING_MS
  for (let page = 1; page <= count; page++) {
    if (performance.now() > end) throw unprocessable(FILE, 'terms_soon_drawn')
    await twice(() => pages.read({ blob_id, type: PDF }, page, 'page', work)).catch((error: unknown) => {
      if (!isOfDocument(error)) throw error
      throw unprocessable(FILE, 'terms_drawable', { page })
    })
  }
}

/** Characters that reorder or hide text, except line breaks and tabs; as in the texts that admins write. */
const UNSHOWN = /(?![\n\t])[\p{Cc}\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu

const shownText = (text: string): string => keepable(text.replaceAll('\r', '').replace(UNSHOWN, ''))
