import { isDividing, signBefore } from './characters/divided-words.ts'
import { MAX_LAYER_TEXT } from './limits.ts'
import { imageSizeOf } from './page-size.ts'
import { floatsOf, type Pdfium, perCharacter, withMemory } from './pdfium-memory.ts'
import type { OpenPdf } from './pdfium.ts'
import { mayHaveLate, withLateLetters } from './characters/late-letters.ts'
import { readCodes, stringOf } from './characters/read-codes.ts'
import { readFields } from './characters/read-fields.ts'

/**
 * A word as drawn: its place in the text of the page (UTF-16 offsets, `end` exclusive), its box in pixels of the page
 * image, and the right edge of each of its units from `x`, where these run from left to right.
 */
export type DrawnWord = [
  start: number,
  end: number,
  x: number,
  y: number,
  width: number,
  height: number,
  ...edges: number[],
]

export interface PageText {
  text: string
  words: DrawnWord[]
  /** The page has more text. */
  partial: boolean
}

export const NO_TEXT: PageText = { text: '', words: [], partial: false }

/** Divisions of a pixel in which PDFium, which rounds, is asked for places. */
const FINE = 64
const FAR = 1000

const LAST_ASCII_SPACE = 0x20
const LAST_ASCII = 0x7f

interface Rect {
  left: number
  top: number
  right: number
  bottom: number
}

/** Returns the text of a page with the places of its words. Text outside the page as shown is left out. */
export function readWords(pdfium: Pdfium, pdf: OpenPdf, pageNumber: number): PageText {
  const page = pdfium.FPDF_LoadPage(pdf.document, pageNumber - 1)
  if (page === 0) return NO_TEXT
  const text = pdfium.FPDFText_LoadPage(page)
  try {
    const count = text === 0 ? 0 : pdfium.FPDFText_CountChars(text)
    const written = withMemory(pdfium, 16, (memory) => write(pdfium, pdf, { page, text, count, memory }))
    return { ...written, partial: count > MAX_LAYER_TEXT }
  } finally {
    if (text !== 0) pdfium.FPDFText_ClosePage(text)
    pdfium.FPDF_ClosePage(page)
  }
}

interface Source {
  page: number
  text: number
  count: number
  memory: number
}

function write(pdfium: Pdfium, pdf: OpenPdf, source: Source) {
  const boxIn = placing(pdfium, source)
  const written = writeCharacters(pdfium, source, boxIn)
  for (const field of readFields(pdfium, pdf, source.page)) {
    const box = boxIn(...field.box)
    if (!box || written.text.length + field.text.length > MAX_LAYER_TEXT) continue
    if (written.text !== '') written.text += '\n'
    const start = written.text.length
    written.text += field.text.toWellFormed()
    // Where its letters are within the field is not known.
    written.words.push(wordOf(start, [box], written.text.length))
  }
  return written
}

function writeCharacters(pdfium: Pdfium, source: Source, boxIn: BoxIn) {
  const words: DrawnWord[] = []
  let text = ''
  let boxes: Rect[] = []
  const endWord = () => {
    if (boxes.length > 0) words.push(wordOf(text.length - boxes.length, boxes))
    boxes = []
  }
  let divided = false
  const count = Math.max(0, Math.min(source.count, MAX_LAYER_TEXT))
  const read = readCodes(pdfium, source.text, count, source.memory)
  const order = orderOf(pdfium, source, read)
  const codes = order?.map((index) => read[index] ?? 0) ?? read
  for (const [at, code] of codes.entries()) {
    const character = stringOf(code)
    if (isSpace(code, character)) {
      endWord()
      // A divided word goes on behind the line break, which is written with "\r\n".
      const isBreak = character === '\n' || character === '\r'
      if (!(divided && isBreak) && character !== '\r' && text !== '') text += character === '\n' ? '\n' : ' '
      divided &&= isBreak
      continue
    }
    divided = isDividing(code)
    const box = boxOfCharacter(pdfium, source, boxIn, order?.[at] ?? at)
    if (!box || (code < 0x20 && !divided)) continue
    const before = boxes.at(-1)
    if (before && !isBeside(before, box)) endWord()
    const shown = divided ? signBefore(nextOf(codes, at)) : character
    for (let unit = 0; unit < shown.length; unit++) boxes.push(box)
    text += shown
    if (divided) endWord()
  }
  endWord()
  return { text: text.toWellFormed(), words }
}

/** Most characters are told by their code, which is quicker. */
const isSpace = (code: number, character: string): boolean =>
  (code <= LAST_ASCII_SPACE || code > LAST_ASCII) && /\s/.test(character)

/** The indexes of the characters in reading order; undefined where they are in order. */
function orderOf(pdfium: Pdfium, { text, memory }: Source, codes: readonly number[]): readonly number[] | undefined {
  if (codes.every(isAscii) || !mayHaveLate(codes.map(stringOf).join(''))) return undefined
  return withLateLetters(pdfium, text, codes.length, memory)
}

const isAscii = (code: number): boolean => code <= LAST_ASCII

function nextOf(codes: readonly number[], index: number): string {
  let at = index + 1
  while ((codes[at] ?? Infinity) <= 0x20) at++
  return stringOf(codes[at])
}

/** Returns where a part of the page is in the page image, given by two corners; undefined for one outside of it. */
type BoxIn = (x1: number, y1: number, x2: number, y2: number) => Rect | undefined

function boxOfCharacter(pdfium: Pdfium, { text, memory }: Source, boxIn: BoxIn, index: number): Rect | undefined {
  if (!perCharacter(pdfium).FPDFText_GetLooseCharBox(text, index, memory)) return undefined
  const [floats, at] = [floatsOf(pdfium), memory / 4]
  return boxIn(floats[at] ?? 0, floats[at + 1] ?? 0, floats[at + 2] ?? 0, floats[at + 3] ?? 0)
}

function placing(pdfium: Pdfium, { page, memory }: Source): BoxIn {
  const { getValue } = pdfium.pdfium
  const { width, height } = imageSizeOf({
    width: pdfium.FPDF_GetPageWidthF(page),
    height: pdfium.FPDF_GetPageHeightF(page),
  })
  const toImage = (x: number, y: number): readonly [number, number] => {
    pdfium.FPDF_PageToDevice(page, 0, 0, width * FINE, height * FINE, 0, x, y, memory, memory + 4)
    return [getValue(memory, 'i32') / FINE, getValue(memory + 4, 'i32') / FINE]
  }
  // Calling PDFium for three points of the page instead of for each character takes a third of the time.
  const [zero, right, up] = [toImage(0, 0), toImage(FAR, 0), toImage(0, FAR)]
  const at = (x: number, y: number, axis: 0 | 1) =>
    zero[axis] + ((right[axis] - zero[axis]) * x + (up[axis] - zero[axis]) * y) / FAR
  return (x1, y1, x2, y2) => {
    const box = between(at(x1, y1, 0), at(x1, y1, 1), at(x2, y2, 0), at(x2, y2, 1))
    const [middle, centre] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
    // A damaged font may give places that are no numbers.
    if (!(middle >= 0 && middle <= width && centre >= 0 && centre <= height)) return undefined
    return {
      left: Math.max(0, box.left),
      right: Math.min(width, box.right),
      top: Math.max(0, box.top),
      bottom: Math.min(height, box.bottom),
    }
  }
}

const between = (x1: number, y1: number, x2: number, y2: number): Rect => ({
  left: Math.min(x1, x2),
  right: Math.max(x1, x2),
  top: Math.min(y1, y2),
  bottom: Math.max(y1, y2),
})

/** Whether a character continues the word of the one before: in the same line, or, in rotated text, in the same column. */
function isBeside(a: Rect, b: Rect): boolean {
  const size = Math.max(a.bottom - a.top, a.right - a.left, 1)
  const [across, down] = [gapOf(a.left, a.right, b.left, b.right), gapOf(a.top, a.bottom, b.top, b.bottom)]
  return Math.max(across, down) <= size && Math.min(across, down) <= 0
}

const gapOf = (a1: number, a2: number, b1: number, b2: number): number => Math.max(a1, b1) - Math.min(a2, b2)

function wordOf(start: number, boxes: readonly Rect[], end = start + boxes.length): DrawnWord {
  const all = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (const box of boxes) {
    all.left = Math.min(all.left, box.left)
    all.top = Math.min(all.top, box.top)
    all.right = Math.max(all.right, box.right)
    all.bottom = Math.max(all.bottom, box.bottom)
  }
  const [left, top, right, bottom] = [
    Math.floor(all.left),
    Math.floor(all.top),
    Math.ceil(all.right),
    Math.ceil(all.bottom),
  ]
  const runsRight = boxes.every((box, at) => at === 0 || box.left >= (boxes[at - 1]?.left ?? 0))
  const isOneLine = boxes.every((box) => box.bottom - box.top > (bottom - top) / 2)
  const edges = runsRight && isOneLine && boxes.length > 1 ? boxes.map((box) => Math.round(box.right) - left) : []
  return [start, end, left, top, Math.max(1, right - left), Math.max(1, bottom - top), ...edges]
}
