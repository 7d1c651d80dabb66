import { joinDivided } from './characters/divided-words.ts'
import { RenderFault } from './faults.ts'
import { MAX_PAGE_TEXT, MAX_PAGES } from './limits.ts'
import { imageSizeOf, type PageBox, type PixelSize } from './page-size.ts'
import { memoryOf, type Pdfium, withMemory } from './pdfium-memory.ts'
import type { OpenPdf } from './pdfium.ts'
import { mayHaveLate, withLateLetters } from './characters/late-letters.ts'
import { hasArabic, readCodes, stringOf } from './characters/read-codes.ts'
import { readFields } from './characters/read-fields.ts'

/** Flags to draw annotations, and to get bytes as red, green, blue. */
const ANNOTATIONS = 0x01
const RGB_ORDER = 0x10
const WHITE = 0xffffffff
const DYNAMIC_XFA = 2

/**
 * Returns the size of each page as shown, including its rotation.
 * @throws RenderFault for no pages or too many, and for a form whose only page asks to wait for another program
 */
export function readBoxes(pdfium: Pdfium, { document }: OpenPdf): PageBox[] {
  if (pdfium.FPDF_GetFormType(document) === DYNAMIC_XFA) throw new RenderFault('form')
  const pages = pdfium.FPDF_GetPageCount(document)
  if (pages <= 0) throw new RenderFault('empty')
  if (pages > MAX_PAGES) throw new RenderFault('pages')
  return withMemory(pdfium, 8, (size) =>
    Array.from({ length: pages }, (_, index) => {
      // An unreadable page is shown as an empty page of the usual size.
      if (!pdfium.FPDF_GetPageSizeByIndexF(document, index, size)) return { width: 612, height: 792 }
      const { getValue } = pdfium.pdfium
      return { width: getValue(size, 'float'), height: getValue(size + 4, 'float') }
    }),
  )
}

export interface RawPixels extends PixelSize {
  /** Four bytes per pixel: red, green, blue and an unused one. */
  data: Buffer
}

export function drawPage(pdfium: Pdfium, pdf: OpenPdf, pageNumber: number, width: number): RawPixels {
  const page = pdfium.FPDF_LoadPage(pdf.document, pageNumber - 1)
  if (page === 0) throw new RenderFault('damaged')
  pdfium.FORM_OnAfterLoadPage(page, pdf.form)
  try {
    const box = { width: pdfium.FPDF_GetPageWidthF(page), height: pdfium.FPDF_GetPageHeightF(page) }
    return drawBitmap(pdfium, pdf, page, imageSizeOf(box, width))
  } finally {
    pdfium.FORM_OnBeforeClosePage(page, pdf.form)
    pdfium.FPDF_ClosePage(page)
  }
}

function drawBitmap(pdfium: Pdfium, { form }: OpenPdf, page: number, { width, height }: PixelSize): RawPixels {
  const bitmap = pdfium.FPDFBitmap_Create(width, height, 0)
  if (bitmap === 0) throw new RenderFault('memory')
  try {
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
    const flags = ANNOTATIONS | RGB_ORDER
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
    pdfium.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, flags)
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap)
    return { width, height, data: Buffer.from(memoryOf(pdfium).subarray(start, start + width * height * 4)) }
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap)
  }
}

/** Returns the text of a page in reading order, then that of its fields; "" if there is none or the page cannot be read. */
export function readText(pdfium: Pdfium, pdf: OpenPdf, pageNumber: number): string {
  const page = pdfium.FPDF_LoadPage(pdf.document, pageNumber - 1)
  if (page === 0) return ''
  const text = pdfium.FPDFText_LoadPage(page)
  try {
    const characters = Math.min(text === 0 ? 0 : pdfium.FPDFText_CountChars(text), MAX_PAGE_TEXT)
    const written = characters <= 0 ? '' : joinDivided(writtenText(pdfium, text, characters))
    const fields = readFields(pdfium, pdf, page).map((field) => field.text)
    return [written, ...fields].filter((each) => each !== '').join('\n')
  } finally {
    if (text !== 0) pdfium.FPDFText_ClosePage(text)
    pdfium.FPDF_ClosePage(page)
  }
}

function writtenText(pdfium: Pdfium, text: number, characters: number): string {
  const written = withMemory(pdfium, (characters + 1) * 2, (buffer) => {
    const units = pdfium.FPDFText_GetText(text, 0, characters, buffer)
    const bytes = memoryOf(pdfium).subarray(buffer, buffer + Math.max(0, units - 1) * 2)
    return Buffer.from(bytes).toString('utf16le')
  })
  if (mayHaveLate(written)) return inWords(pdfium, text, characters)
  if (!hasArabic(written)) return written
  const codes = withMemory(pdfium, 16, (memory) => readCodes(pdfium, text, characters, memory))
  return codes.map(stringOf).join('')
}

/** The text with the letters that are drawn after their line. */
function inWords(pdfium: Pdfium, text: number, characters: number): string {
  const order = withMemory(pdfium, 16, (memory) => withLateLetters(pdfium, text, characters, memory))
  return order.map((index) => stringOf(pdfium.FPDFText_GetUnicode(text, index))).join('')
}
