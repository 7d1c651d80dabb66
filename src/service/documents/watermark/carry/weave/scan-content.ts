import { createInlineImageReader, type ComponentsOf } from './inline-image.ts'
import {
  afterComment,
  afterHexString,
  afterRegular,
  afterString,
  AmbiguousContent,
  CLOSE_ARRAY,
  DELIMITER,
  GREATER,
  KINDS,
  LESS,
  nameOf,
  OPEN,
  OPEN_ARRAY,
  PERCENT,
  SLASH,
  WHITE,
} from './tokens.ts'

/** A range of bytes in a content stream, and the text that replaces it. */
export interface Replacement {
  from: number
  to: number
  text: string
}

/** One operator with its operands. The same object is reused for every visit. */
export interface Operation {
  /** `UNKNOWN` for a word that readers skip together with its operands. */
  operator: string
  /** Offsets in the content, from the first operand to the end of the operator. */
  from: number
  to: number
  /** Operands that are numbers or names; arrays, dictionaries and strings are skipped. */
  numbers: number[]
  names: string[]
  /** Replacements for malformed numbers: the number that PDFium reads. */
  corrections: Replacement[]
}

export const UNKNOWN = ''

const OPERATORS = new Set(
  'b B b* B* BDC BI BMC BT BX c cm CS cs d Do DP EMC ET EX f F f* G g gs h i j J K k l m M MP n q Q re RG rg ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y \' "'.split(
    ' ',
  ),
)
const KEYWORDS = new Set(['true', 'false', 'null'])
const MAX_OPERANDS = 64
const MAX_NESTING = 32

/** Words that are rejected, not skipped: they belong to glyphs, objects, or an inline image that ended too early. */
const MISPLACED = new Set(['ID', 'EI', 'd0', 'd1', 'R', 'obj', 'endobj', 'stream', 'endstream', 'xref', 'trailer'])
const WORD = /^[A-Za-z][\w*'"]{0,30}$/

/**
 * Reads the operators of a content stream, in linear time. Rejects content on whose extent PDF readers disagree
 * (strings and inline images without a certain end, stray delimiters). Reports malformed numbers and unknown operators,
 * so that the caller can replace them with what PDFium makes of them.
 * @throws AmbiguousContent
 */
export function scanContent(content: Buffer, componentsOf: ComponentsOf, visit: (operation: Operation) => void): void {
  const operation: Operation = { operator: UNKNOWN, from: -1, to: 0, numbers: [], names: [], corrections: [] }
  const afterInlineImage = createInlineImageReader(componentsOf)
  const nested: number[] = []
  const { length } = content
  let operands = 0
  let at = 0
  while (at < length) {
    const byte = content[at] ?? 0
    const kind = KINDS[byte]
    if (kind === WHITE) {
      at++
      continue
    }
    if (byte === PERCENT) {
      at = afterComment(content, at)
      continue
    }
    if (operation.from === -1) operation.from = at
    if (kind === DELIMITER) {
      if (byte === SLASH) {
        const end = afterRegular(content, at + 1)
        if (nested.length === 0) operation.names.push(nameOf(content, at, end))
        at = end
      } else if (byte === OPEN) at = afterString(content, at)
      else if (byte === LESS && content[at + 1] !== LESS) at = afterHexString(content, at)
      else {
        at += nest(nested, byte, content[at + 1] ?? 0)
        continue
      }
      if (nested.length === 0) operands++
    } else {
      const end = afterRegular(content, at)
      const word = content.toString('latin1', at, end)
      at = end
      if (isNumeric(byte)) {
        const number = WELL_FORMED.test(word) ? Number(word) : repaired(word)
        if (!(Math.abs(number) <= MAX_NUMBER)) throw new AmbiguousContent('a number out of range')
        if (!WELL_FORMED.test(word))
          operation.corrections.push({ from: end - word.length, to: end, text: number.toFixed(9) })
        if (nested.length === 0) operation.numbers.push(number)
      } else if (!KEYWORDS.has(word)) {
        if (nested.length > 0) throw new AmbiguousContent(`operator ${word} among operands`)
        if (word === 'BI') at = afterInlineImage(content, end)
        operation.operator = operatorOf(word)
        operation.to = at
        visit(operation)
        operation.from = -1
        operation.numbers.length = operation.names.length = operation.corrections.length = operands = 0
        continue
      }
      operands++
    }
    if (operands > MAX_OPERANDS && nested.length === 0) throw new AmbiguousContent('too many operands')
  }
  if (nested.length > 0) throw new AmbiguousContent('an array or dictionary without an end')
}

const isNumeric = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2b || byte === 0x2e

/** Readers disagree about numbers with more digits than this. */
const WELL_FORMED = /^[+-]?(?:\d{1,20}\.?\d{0,30}|\.\d{1,30})$/
/** PDFium reads 32-bit integers, and floats with 24 bits of precision. */
const MAX_NUMBER = 1e9

function operatorOf(word: string): string {
  if (OPERATORS.has(word)) return word
  if (MISPLACED.has(word) || !WORD.test(word)) throw new AmbiguousContent(`misplaced ${word.slice(0, 20)}`)
  return UNKNOWN
}

/** Reads a malformed number as PDFium does: the number at its beginning, after a surplus sign if it has a point. */
function repaired(word: string): number {
  if (word.length > 40 || !/^[-+]{0,2}[\d.][-+.\d]*$|^[-+]$/.test(word))
    throw new AmbiguousContent('a malformed number')
  const number = /^([-+]?)([-+]?(?:\d+\.?\d*|\.\d+))/.exec(word)
  if (!number || (/^[-+]{2}/.test(word) && !word.includes('.'))) return 0
  return Number(/^[-+]/.test(number[2] ?? '') ? number[2] : number[0])
}

/** @returns the number of bytes of the bracket */
function nest(nested: number[], byte: number, next: number): number {
  if (byte === OPEN_ARRAY || (byte === LESS && next === LESS)) {
    if (nested.push(byte) > MAX_NESTING) throw new AmbiguousContent('deeply nested operands')
    return byte === LESS ? 2 : 1
  }
  if (byte === CLOSE_ARRAY && nested.pop() === OPEN_ARRAY) return 1
  if (byte === GREATER && next === GREATER && nested.pop() === LESS) return 2
  throw new AmbiguousContent('an unexpected delimiter')
}
