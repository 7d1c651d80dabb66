import { HALO_WIDTH, type Matrix } from '../placement.ts'
import { multiply } from './matrix.ts'
import type { Piece } from './pieces.ts'

/** From 0 to 1. */
export type Random = () => number

/** Units of an em in which paths are written: as few digits as the eye allows. */
const COARSE_UNITS = 36
const FINE_UNITS = 70

/**
 * A piece as operators that leave the graphics state as it was. Units, offsets, first points and colours vary: no two pieces
 * have a sequence of operators in common. `inverse` leads from default user space to the space in force.
 */
export function writePiece(
  { layer, contours, coarse, matrix, isStrewn }: Piece,
  inverse: Matrix,
  state: string,
  random: Random,
): Buffer {
  const isAround = layer.haloIs === 'around'
  const offset = isAround ? 0 : HALO_WIDTH
  const toSpace = multiply(matrix, inverse)
  const writer = new ContentWriter(random)
  writer.piece(coarse, multiply([1, 0, 0, 1, offset, -offset], toSpace), COARSE_UNITS, (scale) => [
    `${state} gs`,
    ...(isAround ? ['1 j', `${number(HALO_WIDTH * 2 * scale)} w`] : []),
    `${rgb(layer.halo, random)} ${isAround ? 'RG' : 'rg'}`,
  ])
  writer.end(isAround ? 'S' : 'f')
  writer.piece(contours, toSpace, isStrewn ? COARSE_UNITS : FINE_UNITS, () => [
    `${state} gs`,
    `${rgb(layer.color, random)} rg`,
  ])
  writer.end('f')
  return writer.bytes()
}

/** Paths are most of a mark: their numbers are written without a string for each. */
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
    const settings = shuffled([...settingsFor(scale), `${toPage.map(number).join(' ')} cm`], random)
    this.text(`q\n${settings.join('\n')}\n`)
    for (const contour of contours) this.contour(contour, scale, x, y)
  }

  end(paint: string): void {
    this.text(`${paint}\nQ\n`)
  }

  bytes(): Buffer {
    return this.buffer.subarray(0, this.length)
  }

  /** Begins at any of its points. */
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

  private text(text: string): void {
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

function shuffled(lines: readonly string[], random: Random): string[] {
  return lines
    .map((line) => ({ line, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ line }) => line)
}

/** Six digits that count, and no exponent: PDF does not know them. */
export function number(value: number): string {
  if (!Number.isFinite(value) || Math.abs(value) < 1e-9) return '0'
  const places = Math.min(12, Math.max(0, 5 - Math.floor(Math.log10(Math.abs(value)))))
  const text = value.toFixed(places)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** The colour, and not quite: a difference that nobody sees. */
function rgb(color: string, random: Random): string {
  return [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255 + (random() - 0.5) * 0.016)
    .map((part) => number(Math.min(1, Math.max(0, Number(part.toFixed(3))))))
    .join(' ')
}
