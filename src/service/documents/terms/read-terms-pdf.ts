import { TERMS_PDF } from '../../../contract/endpoints/deal/terms-pdf.ts'
import { refusal, unprocessable } from '../../base/errors.ts'
import { mapInTurns } from '../../base/turns.ts'
import type { BlobStore, StoredBlob } from '../../blobs/blob-store.ts'
import { NotScanned, type Scanner } from '../ingest/scan.ts'
import type { PageImages } from '../pages/page-images.ts'
import { DocumentFault, type PageBox, type Renderer } from '../render.ts'
import { RenderFault } from '../render/faults.ts'
import type { PdfFacts } from '../../store/terms/pdfs.ts'
import { keepable } from '../text.ts'
import { detectType } from '../upload/detect-type.ts'

export interface Means {
  blobs: BlobStore
  pages: PageImages
  renderer: Pick<Renderer, 'boxes' | 'findCarried' | 'text'>
  scanner: Scanner | undefined
  config: { scanRequired: boolean }
}

/** The field that the refusals name: the body is the file itself. */
const FILE = 'file'
const PDF = 'application/pdf'
/** Pages that are not drawn by then are drawn when they are read. */
const DRAWING_MS = 15_000

/**
 * Reads a PDF that is to become terms, and draws its pages. Nobody looks at it again before members must accept it, so
 * whatever cannot be shown, or would do more than show, is refused here.
 * @throws ApiError 422 with what is wrong with it, 503 while the scanner is away
 */
export async function readTermsPdf(means: Means, blob: StoredBlob, fileName: string, user: number): Promise<PdfFacts> {
  if ((await detectType(blob.head, fileName)) !== PDF) throw unprocessable(FILE, 'terms_format')
  await scan(means, blob)
  const { boxes, texts } = await means.blobs.withFile(blob.blob_id, (path) => read(means.renderer, path, user))
  await draw(means.pages, blob, boxes.length, user)
  return {
    page_widths: boxes.map(({ width }) => width),
    page_heights: boxes.map(({ height }) => height),
    page_texts: await mapInTurns(texts, shownText),
  }
}

async function scan({ blobs, scanner, config }: Means, { blob_id }: StoredBlob): Promise<void> {
  if (!scanner) return
  try {
    if ((await scanner.scan(await blobs.read(blob_id))) !== 'clean') throw unprocessable(FILE, 'terms_clean')
  } catch (error) {
    if (!(error instanceof NotScanned)) throw error
    // No job comes back to it, as to files.
    if (!error.permanent) throw refusal('scanner_away')
    if (config.scanRequired) throw unprocessable(FILE, 'terms_scannable')
  }
}

async function read(renderer: Means['renderer'], path: string, user: number) {
  const source = { path, type: PDF }
  const boxes = await renderer.boxes(source, { user }).catch(toRefusal)
  const { pages: limit, characters } = TERMS_PDF
  if (boxes.length > limit) throw unprocessable(FILE, 'terms_pages', { limit })
  const carried = await renderer.findCarried(source, { user }).catch(toRefusal)
  if (carried === 'encryption') throw unprocessable(FILE, 'terms_unlocked')
  if (carried === 'scripts') throw unprocessable(FILE, 'terms_without_scripts')
  if (carried === 'files') throw unprocessable(FILE, 'terms_without_files')
  const texts = await renderer.text(source, boxes.length, { user }).catch(toRefusal)
  if (texts.reduce((sum, text) => sum + text.length, 0) > characters)
    throw unprocessable(FILE, 'terms_characters', { limit: characters })
  return { boxes, texts } satisfies { boxes: PageBox[]; texts: string[] }
}

function toRefusal(error: unknown): never {
  if (!(error instanceof DocumentFault)) throw error
  const isLocked = error instanceof RenderFault && error.fault === 'encrypted'
  const hasPages = error instanceof RenderFault && error.fault === 'pages'
  if (hasPages) throw unprocessable(FILE, 'terms_pages', { limit: TERMS_PDF.pages })
  throw unprocessable(FILE, isLocked ? 'terms_unlocked' : 'terms_readable')
}

async function draw(pages: PageImages, { blob_id }: StoredBlob, count: number, user: number): Promise<void> {
  const begun = performance.now()
  for (let page = 1; page <= count && performance.now() - begun < DRAWING_MS; page++) {
    await pages.read({ blob_id, type: PDF }, page, 'page', { user }).catch((error: unknown) => {
      if (!(error instanceof DocumentFault)) throw error
      throw unprocessable(FILE, 'terms_drawable', { page })
    })
  }
}

/** Characters that reorder or hide text, except line breaks and tabs; as in the texts that admins write. */
const UNSHOWN = /(?![\n\t])[\p{Cc}\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu

const shownText = (text: string): string => keepable(text.replaceAll('\r', '').replace(UNSHOWN, ''))
