import sharp from 'sharp'
import { encodePage, fromRgba, type PageImage } from '../encode.ts'
import type { Prepared } from '../convert/office.ts'
import type { LayoutTask } from '../layout/lay-out.ts'
import type { ReportTask } from '../layout/report/set-report.ts'
import type { IndexTask } from '../layout/set-index.ts'
import type { SheetTask } from '../layout/set-sheet.ts'
import type { Drawing } from './draw-svg.ts'
import { PAGE_WIDTH, type PageBox } from './page-size.ts'
import type { Pdfium } from './pdfium-memory.ts'
import { loadPdfium, type OpenPdf, openPdf } from './pdfium.ts'
import { drawImage, readImageBoxes } from './read-image.ts'
import { drawPage, readBoxes, readText } from './read-pdf.ts'
import { type PageText, readWords } from './read-words.ts'
import { serveTasks } from './serve-tasks.ts'

/** The child process that reads and draws documents; render.ts sends it tasks. */

export type { Drawing } from './draw-svg.ts'

export interface Source {
  path: string
  type: string
}
export interface PageOf extends Source {
  page: number
}
export interface PagesOf extends Source {
  from: number
  count: number
}

export interface TextOf extends PagesOf {
  limit: number
}

export const isPdf = ({ type }: Source) => type === 'application/pdf'

/** One document stays open, because its pages are mostly requested one after the other. */
let opened: { path: string; pdf: OpenPdf } | undefined

async function open({ path }: Source): Promise<{ pdfium: Pdfium; pdf: OpenPdf }> {
  const pdfium = await loadPdfium()
  if (opened?.path !== path) {
    opened?.pdf.close()
    opened = undefined
    opened = { path, pdf: openPdf(pdfium, path) }
  }
  return { pdfium, pdf: opened.pdf }
}

async function boxes(source: Source): Promise<PageBox[]> {
  if (!isPdf(source)) return readImageBoxes(source.path, source.type)
  const { pdfium, pdf } = await open(source)
  return readBoxes(pdfium, pdf)
}

async function page(source: PageOf): Promise<PageImage> {
  if (!isPdf(source)) return drawImage(source.path, source.page)
  const { pdfium, pdf } = await open(source)
  const pixels = drawPage(pdfium, pdf, source.page, PAGE_WIDTH)
  return encodePage(fromRgba(pixels.data, pixels))
}

async function text(source: TextOf): Promise<string[]> {
  const { pdfium, pdf } = await open(source)
  let length = 0
  return Array.from({ length: source.count }, (_, index) => {
    const read = length < source.limit ? readText(pdfium, pdf, source.from + index) : ''
    length += read.length
    return read
  })
}

async function words(source: PagesOf): Promise<PageText[]> {
  const { pdfium, pdf } = await open(source)
  return Array.from({ length: source.count }, (_, index) => readWords(pdfium, pdf, source.from + index))
}

// One thread per process, because the pool decides how much of the machine is used.
sharp.concurrency(1)
sharp.cache(false)
serveTasks({
  boxes,
  page,
  text,
  words,
  // Loaded when they are needed, because a reader waits for the start of a process that draws a page. The libraries
  // load also when intrinsics are frozen.
  findCarried: async ({ path }: Source) => (await import('../terms/find-carried.ts')).findCarried(path),
  extractText: async ({ path, type }: Source) => (await import('../text.ts')).extractText(path, type),
  drawSvg: async (drawing: Drawing) => (await import('./draw-svg.ts')).drawSvg(drawing),
  drawBitmap: async (drawing: Drawing) => (await import('./read-bitmap.ts')).drawBitmap(drawing),
  drawLogo: async (task: { picture: Uint8Array }) => (await import('./draw-logo.ts')).drawLogo(task),
  layOut: async (task: LayoutTask) => (await import('../layout/lay-out.ts')).layOut(task),
  setIndex: async (task: IndexTask) => (await import('../layout/set-index.ts')).setIndex(task),
  setSheet: async (task: SheetTask) => (await import('../layout/set-sheet.ts')).setSheet(task),
  setReport: async (task: ReportTask) => (await import('../layout/report/set-report.ts')).setReport(task),
  prepareForOffice: async ({ path, type, folder }: Source & { folder: string }): Promise<Prepared> =>
    (await import('../convert/office.ts')).prepareForOffice(path, type, folder),
})
