import { createChildPool } from './render/child-pool.ts'
import type { PageOf, PagesOf, Source } from './render/child.ts'
import type { PageImage } from './encode.ts'
import { MAX_TEXT } from './render/limits.ts'
import type { PageBox } from './render/page-size.ts'

export type { PageImage } from './encode.ts'
export type { PageBox } from './render/page-size.ts'
export { DocumentFault } from './render/fault.ts'
export { RenderFault } from './render/faults.ts'

/**
 * Reads PDFs and images in processes of its own. What is wrong with a document for good is a RenderFault; any other
 * error may be tried again.
 */
export interface Renderer {
  /** The size of each page as it is shown; one for an image, more for a TIFF of several. */
  boxes(source: Source, signal?: AbortSignal): Promise<PageBox[]>
  /** One page, counted from 1. */
  page(source: Source, page: number, signal?: AbortSignal): Promise<PageImage>
  /** The text of each page of a PDF; beyond a length that no reader reaches the rest is "". */
  text(source: Source, pages: number, signal?: AbortSignal): Promise<string[]>
  close(): Promise<void>
}

export type { Source } from './render/child.ts'

/** Of a page, of the sizes of all, or of the text of some; in milliseconds of processor time. */
const CPU_MS = 20_000
const TEXT_PAGES = 50

/** Behind everything that people wait for, unless they wait for this. */
const BACKGROUND = 10
export const FOREGROUND = 5

export function openRenderer({ size = 2, niceness = BACKGROUND, cpuMs = CPU_MS } = {}): Renderer {
  const pool = createChildPool(new URL('./render/child.ts', import.meta.url), { size, niceness })
  const limits = (source: Source, signal?: AbortSignal) => ({ cpuMs, signal, affinity: source.path })
  return {
    boxes: (source, signal) => pool.run<PageBox[]>('boxes', source, limits(source, signal)),
    page: (source, page, signal) =>
      pool.run<PageImage>('page', { ...source, page } satisfies PageOf, limits(source, signal)),
    text: (source, pages, signal) =>
      readAllText(pages, (from, count) => {
        const some: PagesOf = { ...source, from, count }
        return pool.run<string[]>('text', some, limits(source, signal))
      }),
    close: () => pool.close(),
  }
}

async function readAllText(pages: number, read: (from: number, count: number) => Promise<string[]>) {
  const texts: string[] = []
  let length = 0
  while (texts.length < pages && length < MAX_TEXT) {
    const some = await read(texts.length + 1, Math.min(TEXT_PAGES, pages - texts.length))
    texts.push(...some)
    length += some.reduce((sum, text) => sum + text.length, 0)
  }
  return [...texts, ...Array.from({ length: pages - texts.length }, () => '')]
}
