import { readFile } from 'node:fs/promises'
import sharp from 'sharp'

/** The process in which one SVG is drawn; svg.ts starts it. */

const MAX_PIXELS = 40_000_000
/** Wide enough for a screen and for a print of A4. */
const SIDE = 2400
/** librsvg itself refuses above 200,000 elements; a longer text only costs memory. */
const MAX_BYTES = 20 * 1024 ** 2

const [, , source = ''] = process.argv
const svg = await readFile(source)
if (svg.length > MAX_BYTES) process.exit(1)
sharp.concurrency(1)
const png = await sharp(svg, { limitInputPixels: MAX_PIXELS, density: await densityFor(svg) })
  .resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true })
  .flatten({ background: '#ffffff' })
  .png({ compressionLevel: 3 })
  .toBuffer()
process.stdout.write(png)

/** Dots per inch at which the longer side is as long as it shall be: vectors are scaled, not pixels. */
async function densityFor(drawing: Buffer): Promise<number> {
  const { width, height } = await sharp(drawing, { limitInputPixels: false }).metadata()
  return Math.min(Math.max((72 * SIDE) / Math.max(width, height, 1), 1), 100_000)
}
