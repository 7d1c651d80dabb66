import { MAX_PAGE_TEXT } from './limits.ts'
import { memoryOf, type Pdfium, withMemory } from './pdfium-memory.ts'
import type { OpenPdf } from './pdfium.ts'

/** A line of text or a part of it. Its place is in fractions of the page as shown, from the lower left corner. */
export interface TextLine {
  text: string
  left: number
  bottom: number
  width: number
  height: number
}

const MAX_LINES = 5000
/** Size of the grid of whole numbers in which PDFium measures. */
const GRID = 20_000

/** Returns the lines of a page, counted from 1, with their places; none if the page cannot be read. */
export function readLines(pdfium: Pdfium, { document }: OpenPdf, pageNumber: number): TextLine[] {
  const page = pdfium.FPDF_LoadPage(document, pageNumber - 1)
  if (page === 0) return []
  const text = pdfium.FPDFText_LoadPage(page)
  try {
    if (text === 0) return []
    const count = Math.min(MAX_LINES, pdfium.FPDFText_CountRects(text, 0, -1))
    const lines: TextLine[] = []
    let characters = 0
    for (let index = 0; index < count && characters < MAX_PAGE_TEXT; index++) {
      const line = lineAt(pdfium, page, text, index)
      if (line) lines.push(line)
      characters += line?.text.length ?? 0
    }
    return lines
  } finally {
    if (text !== 0) pdfium.FPDFText_ClosePage(text)
    pdfium.FPDF_ClosePage(page)
  }
}

function lineAt(pdfium: Pdfium, page: number, text: number, index: number): TextLine | undefined {
  return withMemory(pdfium, 48, (memory) => {
    const { getValue } = pdfium.pdfium
    if (!pdfium.FPDFText_GetRect(text, index, memory, memory + 8, memory + 16, memory + 24)) return undefined
    const [left, top, right, bottom] = [0, 8, 16, 24].map((at) => getValue(memory + at, 'double')) as [
      number,
      number,
      number,
      number,
    ]
    const [a, b] = [
      [left, top],
      [right, bottom],
    ].map(([x = 0, y = 0]) => {
      pdfium.FPDF_PageToDevice(page, 0, 0, GRID, GRID, 0, x, y, memory + 32, memory + 36)
      return [getValue(memory + 32, 'i32') / GRID, 1 - getValue(memory + 36, 'i32') / GRID] as const
    }) as [readonly [number, number], readonly [number, number]]
    const words = boundedText(pdfium, text, [left, top, right, bottom])
    const [width, height] = [Math.abs(b[0] - a[0]), Math.abs(b[1] - a[1])]
    if (words === '' || width === 0 || height === 0) return undefined
    return { text: words, left: Math.min(a[0], b[0]), bottom: Math.min(a[1], b[1]), width, height }
  })
}

function boundedText(pdfium: Pdfium, text: number, box: [number, number, number, number]): string {
  const length = pdfium.FPDFText_GetBoundedText(text, ...box, 0, 0)
  if (length <= 0 || length > MAX_PAGE_TEXT) return ''
  return withMemory(pdfium, (length + 1) * 2, (buffer) => {
    pdfium.FPDFText_GetBoundedText(text, ...box, buffer, length)
    const bytes = memoryOf(pdfium).subarray(buffer, buffer + length * 2)
    return Buffer.from(bytes).toString('utf16le').replace(/\0+$/, '').trim()
  })
}
