import { createChildPool } from './render/child-pool.ts'
import type { Drawing, PageOf, PagesOf, Source, TextOf } from './render/child.ts'
import type { Prepared } from './convert/office.ts'
import type { PageImage } from './encode.ts'
import type { LayoutTask } from './layout/lay-out.ts'
import type { ReportTask } from './layout/report/set-report.ts'
import type { IndexTask } from './layout/set-index.ts'
import type { SheetTask } from './layout/set-sheet.ts'
import { MAX_TEXT } from './render/limits.ts'
import type { Carried } from './terms/find-carried.ts'
import type { PageBox } from './render/page-size.ts'
import type { PageText } from './render/read-words.ts'

export type { PageImage } from './encode.ts'
export type { PageBox } from './render/page-size.ts'
export { type DrawnWord, NO_TEXT, type PageText } from './render/read-words.ts'
export { DocumentFault, ProcessEnded } from './render/fault.ts'

/** Reads PDFs and images in child processes. A DocumentFault is permanent; any other error may be retried. */
export interface Renderer {
  /** Returns the size of each page as shown: one for an image, several for a TIFF of several pages. */
  boxes(source: Source, work?: Work): Promise<PageBox[]>
  /** Draws one page, counted from 1. */
  page(source: Source, page: number, work?: Work): Promise<PageImage>
  /** Returns the text of each page of a PDF. Once `limit` characters are read, the remaining pages are "". */
  text(source: Source, pages: number, work?: Work, limit?: number): Promise<string[]>
  /** Returns the text of some pages of a PDF, with the places of the words. */
  words(source: Source, pages: { from: number; count: number }, work?: Work): Promise<PageText[]>
  /** Returns what a PDF has besides its pages. */
  findCarried(source: Source, work?: Work): Promise<Carried>
  /** Returns the text of a file that is not a PDF; undefined for types without text. */
  extractText(source: Source, work?: Work): Promise<string | undefined>
  /** Draws an SVG into a PNG file. */
  drawSvg(drawing: Drawing, work?: Work): Promise<void>
  /** Draws a bitmap into a PNG file. */
  drawBitmap(drawing: Drawing, work?: Work): Promise<void>
  /** Draws a PNG, JPEG, WebP or SVG as the PNG of a logo. */
  drawLogo(picture: Uint8Array, work?: Work): Promise<Uint8Array>
  /** Sets a text, table, page or message as a PDF file. */
  layOut(task: LayoutTask, work?: Work): Promise<void>
  /** Sets the index of a workspace as a PDF file. */
  setIndex(task: IndexTask, work?: Work): Promise<void>
  /** Sets a table of texts as a PDF file. */
  setSheet(task: SheetTask, work?: Work): Promise<void>
  /** Sets a report of the engagement as a PDF file. */
  setReport(task: ReportTask, work?: Work): Promise<void>
  /** Puts the document into the folder. */
  prepareForOffice(source: Source, folder: string, work?: Work): Promise<Prepared>
  close(): Promise<void>
}

export interface Work {
  signal?: AbortSignal | undefined
  user?: number | string | undefined
}

export type { Source } from './render/child.ts'

/** Limit for drawing a page, measuring all pages, or reading the text of some; in milliseconds of CPU time. */
const CPU_MS = 20_000
/** Limit for an SVG, in milliseconds of CPU time; a legitimate one takes a tenth of a second. */
const SVG_CPU_MS = 5000
const TEXT_PAGES = 50

/** Niceness of work that runs behind everything that users wait for. Work that users wait for is `FOREGROUND`. */
const BACKGROUND = 10
export const FOREGROUND = 5

interface Options {
  size?: number
  niceness?: number
  cpuMs?: number
  quickMs?: number
  idleMs?: number
}

export function openRenderer({ size = 2, niceness = BACKGROUND, cpuMs = CPU_MS, ...options }: Options = {}): Renderer {
  const pool = createChildPool(new URL('./render/child.ts', import.meta.url), { size, niceness, ...options })
  const limits = (source: Source, work: Work = {}) => ({ cpuMs, ...work, affinity: source.path })
  return {
    boxes: (source, work) => pool.run<PageBox[]>('boxes', source, limits(source, work)),
    page: (source, page, work) =>
      pool.run<PageImage>('page', { ...source, page } satisfies PageOf, limits(source, work)),
    text: (source, pages, work, limit = MAX_TEXT) =>
      readAllText({ pages, limit }, (from, count) => {
        const some: TextOf = { ...source, from, count, limit }
        return pool.run<string[]>('text', some, limits(source, work))
      }),
    words: (source, pages, work) =>
      pool.run<PageText[]>('words', { ...source, ...pages } satisfies PagesOf, limits(source, work)),
    findCarried: (source, work) => pool.run<Carried>('findCarried', source, limits(source, work)),
    extractText: (source, work) => pool.run<string | undefined>('extractText', source, limits(source, work)),
    drawSvg: (drawing, work) =>
      pool.run<undefined>('drawSvg', drawing, { ...work, cpuMs: Math.min(cpuMs, SVG_CPU_MS) }),
    drawBitmap: (drawing, work) => pool.run<undefined>('drawBitmap', drawing, { ...work, cpuMs }),
    drawLogo: (picture, work) =>
      pool.run<Uint8Array>('drawLogo', { picture }, { ...work, cpuMs: Math.min(cpuMs, SVG_CPU_MS) }),
    layOut: (task, work) => pool.run<undefined>('layOut', task, { ...work, cpuMs }),
    setIndex: (task, work) => pool.run<undefined>('setIndex', task, { ...work, cpuMs }),
    setSheet: (task, work) => pool.run<undefined>('setSheet', task, { ...work, cpuMs }),
    setReport: (task, work) => pool.run<undefined>('setReport', task, { ...work, cpuMs }),
    prepareForOffice: (source, folder, work) =>
      pool.run<Prepared>('prepareForOffice', { ...source, folder }, limits(source, work)),
    close: () => pool.close(),
  }
}

async function readAllText(
  { pages, limit }: { pages: number; limit: number },
  read: (from: number, count: number) => Promise<string[]>,
) {
  const texts: string[] = []
  let length = 0
  while (texts.length < pages && length < limit) {
    const some = await read(texts.length + 1, Math.min(TEXT_PAGES, pages - texts.length))
    texts.push(...some)
    length += some.reduce((sum, text) => sum + text.length, 0)
  }
  return [...texts, ...Array.from({ length: pages - texts.length }, () => '')]
}
