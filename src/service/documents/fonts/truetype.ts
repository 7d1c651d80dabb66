/** A point of an outline in ems. Points off the curve control quadratic curves. */
export type Point = readonly [x: number, y: number, isOnCurve: boolean]

export interface GlyphOutline {
  contours: readonly (readonly Point[])[]
  /** In ems. */
  advance: number
}

/** Limit on the coordinates of a glyph, in units of the font. */
const MAX_COORDINATE = 30_000

interface Glyph {
  bytes: Buffer
  advance: number
  /** Left, bottom, right and top. Renderers move a glyph so that its left is at its left side bearing. */
  box: readonly number[]
  points: number
  contours: number
}

const EMPTY: Glyph = { bytes: Buffer.alloc(0), advance: 0, box: [0, 0, 0, 0], points: 0, contours: 0 }

/** Makes a TrueType font as a PDF embeds one. Glyph 0 is empty. `units` is the number of units per em. */
export function trueTypeFont(outlines: readonly GlyphOutline[], units: number): Buffer {
  const glyphs = [EMPTY, ...outlines.map((each) => glyphOf(each, units))]
  const widest = glyphs.reduce((most, { advance }) => Math.max(most, advance), 0)
  return assemble([
    ['glyf', Buffer.concat(glyphs.map(({ bytes }) => bytes))],
    ['head', headOf(glyphs, units)],
    ['hhea', numbers(0x00010000n, 4, units, -units >> 2, 0, widest, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, glyphs.length)],
    ['hmtx', words(glyphs.flatMap(({ advance, box }) => [advance, box[0] ?? 0]))],
    ['loca', locaOf(glyphs)],
    ['maxp', maxpOf(glyphs)],
  ])
}

function locaOf(glyphs: readonly Glyph[]): Buffer {
  const loca = Buffer.alloc((glyphs.length + 1) * 4)
  let at = 0
  for (const [index, { bytes }] of glyphs.entries()) loca.writeUInt32BE((at += bytes.length), (index + 1) * 4)
  return loca
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

function words(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, at * 2)
  return bytes
}

/** Renderers keep drawn glyphs only if they fit into the box of the font. */
function headOf(glyphs: readonly Glyph[], units: number): Buffer {
  const box = [0, 1, 2, 3].map((side) => {
    const ends = glyphs.map((glyph) => glyph.box[side] ?? 0)
    return side < 2 ? Math.min(...ends) : Math.max(...ends)
  })
  return numbers(0x00010000n, 4, 0x00010000n, 4, 0n, 4, 0x5f0f3cf5n, 4, 0, units, 0n, 8, 0n, 8, ...box, 0, 6, 2, 1, 0)
}

function maxpOf(glyphs: readonly Glyph[]): Buffer {
  const most = (of: (glyph: Glyph) => number) => glyphs.reduce((max, glyph) => Math.max(max, of(glyph)), 0)
  const [points, contours] = [most((glyph) => glyph.points), most((glyph) => glyph.contours)]
  return numbers(0x00010000n, 4, glyphs.length, points, contours, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)
}

const ON_CURVE = 1

function glyphOf({ contours, advance }: GlyphOutline, units: number): Glyph {
  const points = contours.flat()
  const width = Math.round(advance * units)
  if (points.length === 0) return { ...EMPTY, advance: width }
  let end = -1
  const ends = contours.map((contour) => (end += contour.length))
  const xs = points.map(([x]) => Math.round(x * units))
  const ys = points.map(([, y]) => Math.round(y * units))
  const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
  const deltas = [xs, ys].flatMap((values) => values.map((value, at) => value - (values[at - 1] ?? 0)))
  const bytes = Buffer.concat([
    numbers(contours.length, ...box, ...ends, 0),
    Buffer.from(points.map(([, , isOnCurve]) => (isOnCurve ? ON_CURVE : 0))),
    words(deltas),
  ])
  return {
    bytes: padded(bytes),
    advance: width,
    box,
    points: points.length,
    contours: contours.length,
  }
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
