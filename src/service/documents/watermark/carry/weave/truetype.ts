import type { Contour } from './pieces.ts'

/** Limit on the coordinates of a glyph, in units of the font. */
const MAX_COORDINATE = 30_000

interface Glyph {
  bytes: Buffer
  /** Renderers move a glyph so that its leftmost point is at its left side bearing. */
  left: number
  points: number
  contours: number
}

/**
 * Makes a TrueType font of outlines with straight lines, as a PDF embeds one. Glyph 0 is empty; glyphs have no width.
 * `units` is the number of units per em.
 */
export function trueTypeFont(outlines: readonly (readonly Contour[])[], units: number): Buffer {
  const glyphs = [
    { bytes: Buffer.alloc(0), left: 0, points: 0, contours: 0 },
    ...outlines.map((each) => glyphOf(each, units)),
  ]
  const offsets = glyphs.reduce((all, { bytes }) => [...all, (all.at(-1) ?? 0) + bytes.length], [0])
  return assemble([
    ['glyf', Buffer.concat(glyphs.map(({ bytes }) => bytes))],
    ['head', headOf(units)],
    ['hhea', numbers(0x00010000n, 4, units, -units >> 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, glyphs.length)],
    ['hmtx', numbers(...glyphs.flatMap(({ left }) => [0, left]))],
    ['loca', Buffer.concat(offsets.map((offset) => numbers(BigInt(offset), 4)))],
    ['maxp', maxpOf(glyphs)],
  ])
}

/** Returns the largest number of units per em for a line that is `ems` long. */
export const mostUnits = (ems: number): number => Math.floor(MAX_COORDINATE / Math.max(1, ems))

/** Writes 16-bit numbers; a bigint is followed by its length in bytes. */
function numbers(...values: (number | bigint)[]): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0
    if (typeof value === 'bigint') {
      const bytes = Buffer.alloc(8)
      bytes.writeBigInt64BE(value)
      parts.push(bytes.subarray(8 - Number(values[++at])))
    } else {
      const bytes = Buffer.alloc(2)
      bytes.writeUInt16BE(value & 0xffff)
      parts.push(bytes)
    }
  }
  return Buffer.concat(parts)
}

const headOf = (units: number): Buffer =>
  numbers(
    0x00010000n,
    4,
    0x00010000n,
    4,
    0n,
    4,
    0x5f0f3cf5n,
    4,
    0,
    units,
    0n,
    8,
    0n,
    8,
    0,
    0,
    units,
    units,
    0,
    6,
    2,
    1,
    0,
  )

function maxpOf(glyphs: readonly Glyph[]): Buffer {
  const most = (of: (glyph: Glyph) => number) => Math.max(...glyphs.map(of))
  const [points, contours] = [most((glyph) => glyph.points), most((glyph) => glyph.contours)]
  return numbers(0x00010000n, 4, glyphs.length, points, contours, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)
}

const ON_CURVE = 1

function glyphOf(contours: readonly Contour[], units: number): Glyph {
  const points = contours.flatMap((contour) =>
    Array.from({ length: contour.length / 2 }, (_, at) => [
      Math.round((contour[at * 2] ?? 0) * units),
      Math.round((contour[at * 2 + 1] ?? 0) * units),
    ]),
  )
  let end = -1
  const ends = contours.map((contour) => (end += contour.length / 2))
  const coordinates = [0, 1].map((part) => points.map((point) => point[part] ?? 0)) as [number[], number[]]
  const [xs, ys] = coordinates
  const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
  const deltas = coordinates.flatMap((values) => values.map((value, at) => value - (values[at - 1] ?? 0)))
  const bytes = Buffer.concat([
    numbers(contours.length, ...box, ...ends, 0),
    Buffer.alloc(points.length, ON_CURVE),
    numbers(...deltas),
  ])
  return { bytes: padded(bytes), left: Math.min(...xs), points: points.length, contours: contours.length }
}

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])

/** Assembles the font; `tables` must be in the order of their names. */
function assemble(tables: readonly (readonly [name: string, content: Buffer])[]): Buffer {
  const power = 2 ** Math.floor(Math.log2(tables.length))
  const head = numbers(0x00010000n, 4, tables.length, power * 16, Math.log2(power), (tables.length - power) * 16)
  let at = head.length + tables.length * 16
  const rows: Buffer[] = []
  const contents: Buffer[] = []
  for (const [name, content] of tables) {
    const bytes = padded(content)
    const place = [BigInt(checksum(bytes)), 4, BigInt(at), 4, BigInt(content.length), 4] as const
    rows.push(Buffer.from(name, 'latin1'), numbers(...place))
    contents.push(bytes)
    at += bytes.length
  }
  return Buffer.concat([head, ...rows, ...contents])
}

function checksum(bytes: Buffer): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0
  return sum
}
