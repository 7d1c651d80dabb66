import { type Pdfium, perCharacter } from '../pdfium-memory.ts'

const ARABIC = /[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefc]/
const FIRST_ARABIC = 0x0600
/** The first letters of the ligatures that begin with lam are known, so that their order can be told. */
const LAM_ALEF = /\u0644[\u0622\u0623\u0625\u0627\u0671]/
const MAX_LIGATURE = 18

export const hasArabic = (text: string): boolean => ARABIC.test(text)

/** Returns the code points of the text of a page, as many as `count`, in reading order. `memory` has 16 bytes. */
export function readCodes(pdfium: Pdfium, text: number, count: number, memory: number): number[] {
  const reader = perCharacter(pdfium)
  const codes = Array.from({ length: count }, (_, index) => reader.FPDFText_GetUnicode(text, index))
  for (let start = 0; start < count;) {
    const end = endOfLigature(pdfium, { text, codes, start, memory })
    if (end - start > 1) codes.splice(start, end - start, ...inOrder(codes.slice(start, end)))
    start = end
  }
  return codes
}

interface Place {
  text: number
  codes: readonly number[]
  start: number
  memory: number
}

/** Arabic letters of one glyph have one origin. */
function endOfLigature(pdfium: Pdfium, { text, codes, start, memory }: Place): number {
  const isArabic = (at: number) => (codes[at] ?? 0) >= FIRST_ARABIC && ARABIC.test(stringOf(codes[at]))
  if (!isArabic(start) || !isArabic(start + 1)) return start + 1
  const { getValue } = pdfium.pdfium
  const origin = (at: number) =>
    pdfium.FPDFText_GetCharOrigin(text, at, memory, memory + 8)
      ? `${getValue(memory, 'double')} ${getValue(memory + 8, 'double')}`
      : `${at}`
  const first = origin(start)
  let end = start + 1
  while (end - start < MAX_LIGATURE && isArabic(end) && origin(end) === first) end++
  return end
}

/** PDFium reverses lines from right to left, and the letters of a ligature with them. */
function inOrder(codes: readonly number[]): number[] {
  return LAM_ALEF.test(codes.map(stringOf).join('')) ? [...codes] : codes.toReversed()
}

export function stringOf(code = 0): string {
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)
}
