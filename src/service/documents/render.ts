import { type ChildPool, createChildPool } from './render/child-pool.ts'
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

/** Processor time, in milliseconds. */
const BOXES_CPU_MS = 30_000
const PAGE_CPU_MS = 20_000
const TEXT_CPU_MS = 30_000
const TEXT_PAGES = 50

/** Behind everything that people wait for, unless they wait for this. */
const BACKGROUND = 10
export const FOREGROUND = 5

export function openRenderer({ size = 2, niceness = BACKGROUND } = {}): Renderer {
  const pool = createChildPool(new URL('./render/child.ts', import.meta.url), { size, niceness })
  return {
    boxes: (source, signal) => pool.run('boxes', source, { cpuMs: BOXES_CPU_MS, signal, affinity: source.path }),
    page: (source, page, signal) =>
      pool.run<PageImage>('page', { ...source, page } satisfies PageOf, {
        cpuMs: PAGE_CPU_MS,
        signal,
        affinity: source.path,
      }),
    text: (source, pages, signal) => readAllText(pool, source, pages, signal),
    close: () => pool.close(),
  }
}

async function readAllText(pool: ChildPool, source: Source, pages: number, signal: AbortSignal | undefined) {
  const texts: string[] = []
  let length = 0
  while (texts.length < pages && length < MAX_TEXT) {
    const input: PagesOf = { ...source, from: texts.length + 1, count: Math.min(TEXT_PAGES, pages - texts.length) }
    const limits = { cpuMs: TEXT_CPU_MS, signal, affinity: source.path }
    const some = await pool.run<string[]>('text', input, limits)
    texts.push(...some)
    length += some.reduce((sum, text) => sum + text.length, 0)
  }
  return [...texts, ...Array.from({ length: pages - texts.length }, () => '')]
}
