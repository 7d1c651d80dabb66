import { embeddingLevels, inVisualOrder } from '../fonts/bidi.ts'
import type { Span, Style } from './blocks.ts'
import { fontOf, shapeText, type TextGlyph } from './shape-text.ts'

/** A run of glyphs in one style and direction. Its width is in points. */
export interface Run {
  glyphs: readonly TextGlyph[]
  style: Style
  size: number
  width: number
  level: number
}

export interface Line {
  runs: readonly Run[]
  width: number
  isRtl: boolean
}

interface Piece extends Run {
  text: string
  font: number
  isSpace: boolean
  /** A line may end after this piece. */
  mayBreak: boolean
}

/** Longer paragraphs are set in parts, each beginning a line. */
const MAX_PARAGRAPH = 20_000
/** Longer words are shaped in parts. */
const MAX_PIECE = 48
const SHIFTED = 0.7

const RTL = /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufeff]|[\ud802-\ud803\ud83a-\ud83b]/

/**
 * Breaks text into lines of at most `width` points; a line feed ends a line. `hanging` makes all lines but the first
 * shorter. The text may be of any length: its lines are made as they are taken.
 */
export function* breakLines(spans: readonly Span[], size: number, width: number, hanging = 0): Generator<Line> {
  let isFirst = true
  for (const part of partsOf(spans)) {
    const text = part.map((span) => span.text).join('')
    const { levels, isRtl } = RTL.test(text) ? embeddingLevels(text) : LTR
    let isEmpty = true
    for (const pieces of fill(piecesOf(part, levels, size), () => width - (isFirst ? 0 : hanging))) {
      yield lineOf(pieces, isRtl)
      isFirst = isEmpty = false
    }
    if (isEmpty) yield { runs: [], width: 0, isRtl }
    isFirst = false
  }
}

const LTR = { levels: undefined, isRtl: false }

/** Yields the spans of each line of the source, in parts of limited length; at least one. */
function* partsOf(spans: readonly Span[]): Generator<Span[]> {
  let part: Span[] = []
  let room = MAX_PARAGRAPH
  for (const { text, style } of spans) {
    for (let at = 0; at < text.length;) {
      const feed = text.indexOf('\n', at)
      const next = feed < 0 ? text.length : feed
      const end = next - at <= room ? next : cutBefore(text, at + room, at)
      if (end > at) part.push({ text: text.slice(at, end), style })
      room -= end - at
      at = end === feed ? end + 1 : end
      if (end !== feed && end === next) continue
      yield part
      part = []
      room = MAX_PARAGRAPH
    }
  }
  yield part
}

/** Returns the end of a word near `end`, or else `end`, but not within a character. */
function cutBefore(text: string, end: number, from: number): number {
  const space = text.lastIndexOf(' ', end - 1)
  const cut = space > from && space > end - 200 ? space + 1 : end
  return /[\udc00-\udfff]/.test(text.charAt(cut)) && cut - 1 > from ? cut - 1 : cut
}

function piecesOf(spans: readonly Span[], levels: Uint8Array | undefined, size: number): Piece[] {
  const pieces: Piece[] = []
  let index = 0
  let open: Open | undefined
  const close = (mayBreak: boolean) => {
    if (open) pieces.push(pieceOf(open, mayBreak))
    open = undefined
  }
  for (const { text, style } of spans) {
    for (const character of text) {
      const level = levels?.[index] ?? 0
      index += character.length
      const [shown, font] = fontOf(character, style.look, open?.style === style ? open.font : undefined)
      const isSpace = /[\p{Zs}\u200b]/u.test(character) && !/[\u00a0\u202f]/.test(character)
      if (/\p{Cc}/u.test(character)) continue
      if (open && breaksBetween(open, character, isSpace)) close(true)
      const fits = open?.font === font && open.level === level && open.style === style && open.isSpace === isSpace
      if (!fits || isLong(open?.text.length ?? 0, character)) close(false)
      open ??= { text: '', font, level, style, isSpace, size: style.shift ? size * SHIFTED : size }
      open.text += shown
    }
  }
  close(true)
  return pieces
}

const isLong = (length: number, next: string): boolean =>
  length >= MAX_PIECE && (length >= 2 * MAX_PIECE || !/[\p{M}\p{Cf}]/u.test(next))

type Open = Pick<Piece, 'text' | 'font' | 'level' | 'style' | 'isSpace' | 'size'>

function pieceOf(open: Open, mayBreak: boolean): Piece {
  const glyphs = shapeText(open.text, open.style.look, open.font, open.level % 2 === 1)
  return { ...open, glyphs, width: widthOf(glyphs) * open.size, mayBreak }
}

const widthOf = (glyphs: readonly TextGlyph[]): number => glyphs.reduce((sum, { advance }) => sum + advance, 0)

const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60\u30fc]/u
/** Punctuation and small letters that begin no line, and brackets that end none. */
const NOT_FIRST = /[\p{Pe}\p{Pf}\p{M}\p{Cf}、。，．！？：；・ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ.,;:!?%’”]/u
const NOT_LAST = /[\p{Ps}\p{Pi}$£€¥]/u
const HYPHEN = /[\p{L}][-–—/]$/u

function breaksBetween({ text, isSpace: afterSpace }: Open, next: string, isSpace: boolean): boolean {
  if (afterSpace !== isSpace) return afterSpace
  const last = text.at(-1) ?? ''
  if (isSpace || NOT_FIRST.test(next) || NOT_LAST.test(last)) return false
  if (IDEOGRAPH.test(next) || IDEOGRAPH.test(last)) return true
  return HYPHEN.test(text.slice(-2)) && /\p{L}/u.test(next)
}

function* fill(pieces: readonly Piece[], widthOfLine: () => number): Generator<Piece[]> {
  let line: Piece[] = []
  let used = 0
  for (const word of wordsOf(pieces)) {
    const width = word.reduce((sum, piece) => sum + (piece.isSpace ? 0 : piece.width), 0)
    if (line.length > 0 && used + width > widthOfLine() && !word.every(({ isSpace }) => isSpace)) {
      yield line
      line = []
      used = 0
    }
    for (const piece of word) {
      let rest: Piece | undefined = piece
      while (rest && !rest.isSpace && used + rest.width > widthOfLine()) {
        const [head, tail] = split(rest, widthOfLine() - used, line.length === 0)
        if (head) line.push(head)
        used = tail ? 0 : used + rest.width
        if (tail) {
          yield line
          line = []
        }
        rest = tail
      }
      if (!rest) continue
      line.push(rest)
      used += rest.width
    }
  }
  if (line.length > 0) yield line
}

function* wordsOf(pieces: readonly Piece[]): Generator<Piece[]> {
  let word: Piece[] = []
  for (const piece of pieces) {
    word.push(piece)
    if (!piece.mayBreak) continue
    yield word
    word = []
  }
  if (word.length > 0) yield word
}

/** Splits a piece before the first cluster that does not fit; at least one cluster stays if `mustFit`. */
function split(piece: Piece, width: number, mustFit: boolean): [head: Piece | undefined, tail: Piece | undefined] {
  const { text, style, font, level, size } = piece
  const clusters = new Map<number, number>()
  for (const { cluster, advance } of piece.glyphs) clusters.set(cluster, (clusters.get(cluster) ?? 0) + advance * size)
  let used = 0
  let cut = 0
  const starts = [...clusters.keys()].toSorted((a, b) => a - b)
  for (const [at, start] of starts.entries()) {
    used += clusters.get(start) ?? 0
    if (used > width && !(mustFit && at === 0)) break
    cut = starts[at + 1] ?? text.length
  }
  const part = (own: string, mayBreak: boolean): Piece | undefined =>
    own === '' ? undefined : pieceOf({ text: own, style, font, level, size, isSpace: false }, mayBreak)
  return [part(text.slice(0, cut), false), part(text.slice(cut), piece.mayBreak)]
}

function lineOf(pieces: readonly Piece[], isRtl: boolean): Line {
  const end = pieces.findLastIndex(({ isSpace }) => !isSpace) + 1
  const shown = pieces.slice(0, end)
  // Spaces at the end of a line take no room.
  const ordered = shown.some(({ level }) => level > 0) ? inVisualOrder(shown) : shown
  const runs: Run[] = []
  for (const piece of ordered) {
    const last = runs.at(-1)
    if (last?.style === piece.style)
      runs[runs.length - 1] = { ...last, glyphs: [...last.glyphs, ...piece.glyphs], width: last.width + piece.width }
    else runs.push(piece)
  }
  return { runs, width: runs.reduce((sum, { width }) => sum + width, 0), isRtl }
}
