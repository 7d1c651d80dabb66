import { readFile, stat, writeFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import type { Drawing } from './draw-svg.ts'
import { RenderFault } from './faults.ts'
import { MAX_BITMAP_PIXELS } from './limits.ts'

/** Draws a Windows bitmap, which sharp does not read, into a PNG file. */
export async function drawBitmap({ source, target }: Drawing): Promise<void> {
  if ((await stat(source)).size > MAX_BYTES) throw new RenderFault('pixels')
  const bytes = await readFile(source)
  const image = imageOf(bytes, readHeader(bytes))
  const png = image.flatten({ background: '#ffffff' }).png({ compressionLevel: 3 })
  await writeFile(target, await png.toBuffer().catch(damaged))
}

const damaged = (): never => {
  throw new RenderFault('damaged')
}

interface Header {
  width: number
  height: number
  /** Whether the first row of the file is the top one. */
  isTopDown: boolean
  bits: number
  compression: number
  /** Where the pixels begin. */
  offset: number
  palette: Buffer
  entryBytes: number
  masks: readonly number[]
}

/** Four bytes for each pixel, after the header and a profile of colors. */
const MAX_BYTES = MAX_BITMAP_PIXELS * 4 + 4 * 1024 ** 2

const FILE_HEADER = 14
const CORE = 12
const [PLAIN, RLE8, RLE4, FIELDS, JPEG, PNG, ALPHA_FIELDS] = [0, 1, 2, 3, 4, 5, 6]
const MASKS: Record<number, readonly number[]> = {
  16: [0x7c00, 0x03e0, 0x001f],
  32: [0xff0000, 0x00ff00, 0x0000ff],
}

function readHeader(bytes: Buffer): Header {
  if (bytes.length < FILE_HEADER + CORE) damaged()
  const size = bytes.readUInt32LE(FILE_HEADER)
  const isCore = size === CORE
  if (!isCore && (size < 40 || bytes.length < FILE_HEADER + 40)) damaged()
  const [width, rows] = isCore
    ? [bytes.readUInt16LE(18), bytes.readUInt16LE(20)]
    : [bytes.readInt32LE(18), bytes.readInt32LE(22)]
  const height = Math.abs(rows)
  if (width <= 0 || height === 0) damaged()
  if (width * height > MAX_BITMAP_PIXELS) throw new RenderFault('pixels')
  const bits = bytes.readUInt16LE(isCore ? 24 : 28)
  const compression = isCore ? PLAIN : bytes.readUInt32LE(30)
  const hasFields = compression === FIELDS || compression === ALPHA_FIELDS
  if (hasFields && bytes.length < FILE_HEADER + 52) damaged()
  const fields = [54, 58, 62].map((at) => (hasFields ? bytes.readUInt32LE(at) : 0))
  const offset = bytes.readUInt32LE(10)
  const palette = bytes.subarray(FILE_HEADER + size + (hasFields && size === 40 ? 12 : 0), offset)
  const masks = hasFields ? fields : (MASKS[bits] ?? [])
  return { width, height, isTopDown: rows < 0, bits, compression, offset, palette, entryBytes: isCore ? 3 : 4, masks }
}

function imageOf(bytes: Buffer, header: Header): Sharp {
  const { width, height, compression, offset } = header
  if (compression === JPEG || compression === PNG) return pictureIn(bytes.subarray(offset))
  const pixels = Buffer.alloc(width * height * 3, 255)
  if (compression === RLE8 || compression === RLE4) readRuns(bytes.subarray(offset), header, pixels)
  else readRows(bytes.subarray(offset), header, pixels)
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

/** sharp reads other formats too, such as drawings, which have limits of their own. */
const PICTURE = /^(?:ffd8ff|89504e47)/

function pictureIn(bytes: Buffer): Sharp {
  if (!PICTURE.test(bytes.toString('hex', 0, 4))) damaged()
  return sharp(bytes, { limitInputPixels: MAX_BITMAP_PIXELS, failOn: 'truncated' })
}

/** Where a row of the file is among the pixels, in bytes. */
const rowAt = ({ width, height, isTopDown }: Header, row: number): number =>
  (isTopDown ? row : height - 1 - row) * width * 3

function readRows(data: Buffer, header: Header, pixels: Buffer): void {
  const { width, height, bits } = header
  const rowBytes = Math.ceil((width * bits) / 32) * 4
  if (data.length < rowBytes * (height - 1) + Math.ceil((width * bits) / 8)) damaged()
  const put = writerOf(header)
  for (let row = 0; row < height; row++) {
    put(data.subarray(row * rowBytes, (row + 1) * rowBytes), pixels, rowAt(header, row))
  }
}

type RowWriter = (row: Buffer, pixels: Buffer, at: number) => void

function writerOf(header: Header): RowWriter {
  const { width, bits, masks } = header
  if (bits === 24) {
    return (row, pixels, at) => {
      for (let x = 0; x < width * 3; x += 3) {
        pixels[at + x] = row[x + 2] ?? 0
        pixels[at + x + 1] = row[x + 1] ?? 0
        pixels[at + x + 2] = row[x] ?? 0
      }
    }
  }
  if (bits === 16 || bits === 32) return fieldWriter(width, bits, masks)
  if (bits !== 1 && bits !== 4 && bits !== 8) return damaged()
  const colors = colorsOf(header)
  const [perByte, mask] = [8 / bits, (1 << bits) - 1]
  return (row, pixels, at) => {
    for (let x = 0; x < width; x++) {
      const byte = row[Math.floor(x / perByte)] ?? 0
      colors.copy(pixels, at + x * 3, ...colorAt((byte >> (8 - bits - (x % perByte) * bits)) & mask))
    }
  }
}

const colorAt = (index: number): [number, number] => [index * 3, index * 3 + 3]

function fieldWriter(width: number, bits: 16 | 32, masks: readonly number[]): RowWriter {
  const fields = masks.map((mask) => {
    const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask)
    return { shift, most: mask >>> shift }
  })
  return (row, pixels, at) => {
    for (let x = 0; x < width; x++) {
      const value = bits === 16 ? row.readUInt16LE(x * 2) : row.readUInt32LE(x * 4)
      for (const [part, { shift, most }] of fields.entries()) {
        pixels[at + x * 3 + part] = most === 0 ? 0 : Math.round((((value >>> shift) & most) * 255) / most)
      }
    }
  }
}

/** Returns red, green and blue of 256 colors. Those that the file does not have are black. */
function colorsOf({ palette, entryBytes }: Header): Buffer {
  const colors = Buffer.alloc(256 * 3)
  for (let at = 0; at < 256 && (at + 1) * entryBytes <= palette.length; at++) {
    for (let part = 0; part < 3; part++) colors[at * 3 + part] = palette[at * entryBytes + 2 - part] ?? 0
  }
  return colors
}

/** Pixels that no run covers stay white. */
function readRuns(data: Buffer, header: Header, pixels: Buffer): void {
  const { width, height, compression } = header
  const colors = colorsOf(header)
  const isNibbles = compression === RLE4
  let [x, row, at] = [0, 0, 0]
  const next = () => data[at++] ?? 0
  const put = (index: number) => {
    if (x < width && row < height) colors.copy(pixels, rowAt(header, row) + x * 3, ...colorAt(index))
    x++
  }
  const indexIn = (byte: number, place: number) => (isNibbles ? (place % 2 === 0 ? byte >> 4 : byte & 15) : byte)
  const literal = (count: number) => {
    const start = at
    for (let place = 0; place < count; place++) put(indexIn(data[at + (isNibbles ? place >> 1 : place)] ?? 0, place))
    at = start + Math.ceil((isNibbles ? Math.ceil(count / 2) : count) / 2) * 2
  }
  while (at < data.length && row < height) {
    const [count, value] = [next(), next()]
    if (count > 0) for (let place = 0; place < count; place++) put(indexIn(value, place))
    else if (value === 0) [x, row] = [0, row + 1]
    else if (value === 1) return
    else if (value === 2) [x, row] = [x + next(), row + next()]
    else literal(value)
  }
}
