type Bits = 1 | 4 | 8 | 16 | 24 | 32

/** Two rows of two pixels: red and green above blue and white. */
export const COLORS = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
] as const

const ROWS: Record<Bits, [bottom: string, top: string]> = {
  1: ['40', '80'],
  4: ['23', '01'],
  8: ['0203', '0001'],
  16: ['1f00ff7f', '007ce003'],
  24: ['ff0000ffffff', '0000ff00ff00'],
  32: ['ff000000ffffff00', '0000ff0000ff0000'],
}

/** A bitmap of `COLORS`; of one bit a pixel, it has only the first two of them. */
export function bitmapFile(bits: Bits, { isTopDown = false, runs = '' } = {}): Buffer<ArrayBuffer> {
  const palette = bits <= 8 ? Buffer.concat(COLORS.map(([r, g, b]) => Buffer.from([b, g, r, 0]))) : Buffer.alloc(0)
  const header = Buffer.alloc(54)
  header.write('BM', 'latin1')
  header.writeUInt32LE(54 + palette.length, 10)
  header.writeUInt32LE(40, 14)
  header.writeInt32LE(2, 18)
  header.writeInt32LE(isTopDown ? -2 : 2, 22)
  header.writeUInt16LE(1, 26)
  header.writeUInt16LE(bits, 28)
  header.writeUInt32LE(runs === '' ? 0 : bits === 8 ? 1 : 2, 30)
  const rows = (isTopDown ? ROWS[bits].toReversed() : ROWS[bits]).map((row) => {
    const padded = Buffer.alloc(Math.ceil(row.length / 8) * 4)
    padded.write(row, 'hex')
    return padded
  })
  return Buffer.concat([header, palette, ...(runs === '' ? rows : [Buffer.from(runs, 'hex')])])
}
