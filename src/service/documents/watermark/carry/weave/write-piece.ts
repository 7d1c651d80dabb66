import { HALO_WIDTH, type Matrix } from '../../plan/placement.ts'
import type { Drawn, GlyphAt } from './mark-fonts.ts'
import { multiply } from './matrix.ts'
import type { Piece, PlacedBitmap } from './pieces.ts'

/** Returns a number from 0 to 1. */
export type Random = () => number

/** Units per em in which paths are written: as few digits as the eye allows. */
const COARSE_UNITS = 36
const FINE_UNITS = 70

export interface PieceNames {
  state: string
  /** A colour space to use instead of `DeviceRGB`. */
  rgbSpace: string | undefined
  font: string
  /** The piece as strings of the font. */
  drawn: Drawn | undefined
  /** Operators that restore the text state, if the page may have left some of it in force. */
  textState: string
}

/**
 * Writes a piece as operators that leave the graphics state unchanged. Units, offsets, first points and colours vary,
 * so that no two pieces have a sequence of operators in common. `inverse` maps default user space to the space in
 * force.
 */
export function writePiece(piece: Piece, inverse: Matrix, names: PieceNames, random: Random): Buffer {
  const { layer, kind } = piece
  const isAround = layer.haloIs === 'around'
  const offset = isAround ? 0 : HALO_WIDTH
  const toSpace = multiply(piece.matrix, inverse)
  const behind = multiply([1, 0, 0, 1, offset, -offset], toSpace)
  const halo = [colourOf(layer.halo, names, random, isAround), `${names.state} gs`]
  const letters = [colourOf(layer.color, names, random), `${names.state} gs`]
  const writer = new ContentWriter(random)
  if (kind === 'text') {
    writer.text(textOf(piece, toSpace, names, random))
  } else if (kind === 'image') {
    const [first, second] = pickTwo(piece.bitmaps, random)
    writer.text(imageOf(first, behind, halo, random))
    writer.text(imageOf(second, toSpace, letters, random))
  } else {
    writer.piece(piece.coarse, behind, COARSE_UNITS, (scale) => [
      ...halo,
      ...(isAround ? ['1 j', '[] 0 d', `${number(HALO_WIDTH * 2 * scale)} w`] : []),
    ])
    writer.text(isAround ? 'S\nQ\n' : 'f\nQ\n')
    writer.piece(piece.contours, toSpace, piece.isStrewn ? COARSE_UNITS : FINE_UNITS, () => letters)
    writer.text('f\nQ\n')
  }
  return writer.bytes()
}

/** Writes the halo and the letters as one text object. */
function textOf({ layer }: Piece, toSpace: Matrix, names: PieceNames, random: Random): string {
  const { drawn, font, state, textState } = names
  if (!drawn) return ''
  const offset = layer.haloIs === 'around' ? 0 : HALO_WIDTH
  const place = multiply([1, 0, 0, 1, offset, drawn.y - offset], toSpace)
  return `q
${colourOf(layer.halo, names, random)}
${state} gs
BT
${textState}${font} 1 Tf
${place.map(number).join(' ')} Tm
${shown(drawn.halo, random)}${colourOf(layer.color, names, random)}
${-offset} ${offset} Td
${shown(drawn.letters, random)}ET
Q
`
}

/**
 * Shows each glyph by an operator of its own, because PDFium takes as long for one as the box around its glyphs is
 * large. Glyphs are shifted by less than is visible.
 */
const shown = (glyphs: readonly GlyphAt[], random: Random): string =>
  glyphs.map(({ back, code }) => `[${number(back + (random() - 0.5) * 16)} <${code}>] TJ\n`).join('')

/** Writes the data in hexadecimal, because readers search for the end of an inline image in different ways. */
function imageOf(
  bitmap: PlacedBitmap | undefined,
  matrix: Matrix,
  settings: readonly string[],
  random: Random,
): string {
  if (!bitmap) return ''
  const { width, height, box } = bitmap
  const place = multiply([box[2] - box[0], 0, 0, box[3] - box[1], box[0], box[1]], matrix)
  const all = shuffled([`${place.map(number).join(' ')} cm`, ...settings], random)
  return `q\n${all.join('\n')}\nBI /IM true /W ${width} /H ${height} /F /AHx ID\n${withRandomPadding(bitmap, random).toString('hex')}>\nEI\nQ\n`
}

/** Readers ignore the bits after the last pixel of a row. */
function withRandomPadding({ width, height, bits }: PlacedBitmap, random: Random): Buffer {
  const varied = Buffer.from(bits)
  const stride = bits.length / height
  for (let end = stride - 1; end < varied.length; end += stride)
    varied[end] = (varied[end] ?? 0) ^ Math.floor(random() * 2 ** (stride * 8 - width))
  return varied
}

function pickTwo<T>(all: readonly T[], random: Random): [T | undefined, T | undefined] {
  const first = Math.floor(random() * all.length)
  return [all[first], all[(first + 1 + Math.floor(random() * (all.length - 1))) % all.length]]
}

/** Writes numbers without a string for each, because paths are most of a mark. */
class ContentWriter {
  private buffer = Buffer.allocUnsafe(16 * 1024)
  private length = 0
  private readonly random: Random

  constructor(random: Random) {
    this.random = random
  }

  piece(contours: Piece['contours'], matrix: Matrix, units: number, settingsFor: (scale: number) => string[]): void {
    const { random } = this
    const scale = units * (1 + random() * 0.5)
    const [x, y] = [Math.round(random() * 99), Math.round(random() * 99)]
    const toPage = multiply([1 / scale, 0, 0, 1 / scale, -x / scale, -y / scale], matrix)
    const settings = shuffled([`${toPage.map(number).join(' ')} cm`, ...settingsFor(scale)], random)
    this.text(`q\n${settings.join('\n')}\n`)
    for (const contour of contours) this.contour(contour, scale, x, y)
  }

  bytes(): Buffer {
    return this.buffer.subarray(0, this.length)
  }

  /** Starts at a random point of the contour. */
  private contour(contour: readonly number[], scale: number, dx: number, dy: number): void {
    const count = contour.length
    this.reserve(count * 8 + 8)
    let at = Math.floor((this.random() * count) / 2) * 2
    for (let step = 0; step < count; step += 2) {
      this.integer(Math.round((contour[at] ?? 0) * scale) + dx)
      this.integer(Math.round((contour[at + 1] ?? 0) * scale) + dy)
      this.operator(step === 0 ? MOVE : LINE)
      at += 2
      if (at === count) at = 0
    }
    this.operator(CLOSE)
  }

  private operator(byte: number): void {
    this.buffer[this.length++] = byte
    this.buffer[this.length++] = NEWLINE
  }

  private integer(value: number): void {
    const { buffer } = this
    let rest = value
    if (rest < 0) {
      buffer[this.length++] = MINUS
      rest = -rest
    }
    const digits = rest < 10 ? 1 : rest < 100 ? 2 : rest < 1000 ? 3 : rest < 10_000 ? 4 : 5
    for (let at = this.length + digits - 1; at >= this.length; at--) {
      buffer[at] = ZERO + (rest % 10)
      rest = (rest / 10) | 0
    }
    this.length += digits
    buffer[this.length++] = SPACE
  }

  text(text: string): void {
    this.reserve(text.length)
    this.length += this.buffer.write(text, this.length, 'latin1')
  }

  private reserve(bytes: number): void {
    if (this.length + bytes <= this.buffer.length) return
    const larger = Buffer.allocUnsafe((this.length + bytes) * 2)
    this.buffer.copy(larger, 0, 0, this.length)
    this.buffer = larger
  }
}

const [MOVE, LINE, CLOSE, NEWLINE, SPACE, MINUS, ZERO] = [0x6d, 0x6c, 0x68, 0x0a, 0x20, 0x2d, 0x30]

/**
 * Keeps the first setting, which must differ from piece to piece, in its place: otherwise the end of one piece and the
 * beginning of the next could recur on a page.
 */
function shuffled([first = '', ...others]: readonly string[], random: Random): string[] {
  const shuffledOthers = others
    .map((line) => ({ line, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ line }) => line)
  return [first, ...shuffledOthers]
}

/** Formats a number with six significant digits and no exponent, which PDF does not know. */
export function number(value: number): string {
  if (!Number.isFinite(value) || Math.abs(value) < 1e-9) return '0'
  const places = Math.min(12, Math.max(0, 5 - Math.floor(Math.log10(Math.abs(value)))))
  const text = value.toFixed(places)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

function colourOf(color: string, { rgbSpace }: Pick<PieceNames, 'rgbSpace'>, random: Random, isStroke = false): string {
  const values = rgb(color, random)
  if (!rgbSpace) return `${values} ${isStroke ? 'RG' : 'rg'}`
  return isStroke ? `${rgbSpace} CS\n${values} SC` : `${rgbSpace} cs\n${values} sc`
}

/** Returns the colour, varied by a difference that is not visible. */
function rgb(color: string, random: Random): string {
  return [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255 + (random() - 0.5) * 0.016)
    .map((part) => number(Number(insideUnit(part).toFixed(4))))
    .join(' ')
}

/** Mirrors a value at 0 and 1. Cutting it off would give most white and black pieces the same colour. */
const insideUnit = (value: number): number => 1 - Math.abs(1 - Math.abs(value))
