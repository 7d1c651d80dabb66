/** Thrown for a content stream that two readers might understand in different ways. */
export class AmbiguousContent extends Error {}

/** One operator with its operands. The same object is reused for every visit. */
export interface Operation {
  operator: string
  /** Offsets in the content, from the first operand to the end of the operator. */
  from: number
  to: number
  /** Operands that are numbers or names; arrays, dictionaries and strings are passed over. */
  numbers: number[]
  names: string[]
}

const OPERATORS = new Set(
  'b B b* B* BDC BMC BT BX c cm CS cs d Do DP EMC ET EX f F f* G g gs h i j J K k l m M MP n q Q re RG rg ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y \' "'.split(
    ' ',
  ),
)
const KEYWORDS = new Set(['true', 'false', 'null'])
const MAX_OPERANDS = 64
const MAX_NESTING = 32

const WHITE = 1
const DELIMITER = 2
const KINDS = new Uint8Array(256)
for (const white of [0, 9, 10, 12, 13, 32]) KINDS[white] = WHITE
for (const delimiter of '()<>[]{}/%') KINDS[delimiter.charCodeAt(0)] = DELIMITER

const [PERCENT, OPEN, CLOSE, LESS, GREATER, SLASH, BACKSLASH] = [0x25, 0x28, 0x29, 0x3c, 0x3e, 0x2f, 0x5c]
const [OPEN_ARRAY, CLOSE_ARRAY] = [0x5b, 0x5d]

/**
 * Reads the operators of a content stream, strictly: whatever readers of PDF disagree about (inline images, unknown
 * operators, strings without an end, malformed numbers) is refused. Linear in the length.
 * @throws AmbiguousContent
 */
export function scanContent(content: Buffer, visit: (operation: Operation) => void): void {
  const operation: Operation = { operator: '', from: -1, to: 0, numbers: [], names: [] }
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
        const number = numberOf(word)
        if (nested.length === 0) operation.numbers.push(number)
      } else if (!KEYWORDS.has(word)) {
        if (nested.length > 0 || !OPERATORS.has(word)) throw new AmbiguousContent(`unknown operator ${word}`)
        operation.operator = word
        operation.to = end
        visit(operation)
        operation.from = -1
        operation.numbers.length = operation.names.length = operands = 0
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

function numberOf(word: string): number {
  if (word.length > 40 || !/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(word)) throw new AmbiguousContent('a malformed number')
  return Number(word)
}

/** `/OC` and `/#4f#43` are the same name. */
function nameOf(content: Buffer, from: number, to: number): string {
  const raw = content.toString('latin1', from, to)
  if (!raw.includes('#')) return raw
  return raw.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function afterRegular(content: Buffer, from: number): number {
  let at = from
  while (at < content.length && KINDS[content[at] ?? 0] === 0) at++
  return at
}

function afterComment(content: Buffer, from: number): number {
  let at = from
  while (at < content.length && content[at] !== 0x0a && content[at] !== 0x0d) at++
  return at
}

function afterString(content: Buffer, from: number): number {
  let depth = 0
  for (let at = from; at < content.length; at++) {
    const byte = content[at]
    if (byte === BACKSLASH) at++
    else if (byte === OPEN) depth++
    else if (byte === CLOSE && --depth === 0) return at + 1
  }
  throw new AmbiguousContent('a string without an end')
}

function afterHexString(content: Buffer, from: number): number {
  for (let at = from + 1; at < content.length; at++) {
    const byte = content[at] ?? 0
    if (byte === GREATER) return at + 1
    const isHex = (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)
    if (!isHex && KINDS[byte] !== WHITE) break
  }
  throw new AmbiguousContent('a malformed hexadecimal string')
}

/** @returns how many bytes the bracket has */
function nest(nested: number[], byte: number, next: number): number {
  if (byte === OPEN_ARRAY || (byte === LESS && next === LESS)) {
    if (nested.push(byte) > MAX_NESTING) throw new AmbiguousContent('deeply nested operands')
    return byte === LESS ? 2 : 1
  }
  if (byte === CLOSE_ARRAY && nested.pop() === OPEN_ARRAY) return 1
  if (byte === GREATER && next === GREATER && nested.pop() === LESS) return 2
  throw new AmbiguousContent('an unexpected delimiter')
}
