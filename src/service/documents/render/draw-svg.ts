import { readFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { RenderFault } from './faults.ts'

export interface Drawing {
  source: string
  target: string
}

const MAX_PIXELS = 40_000_000
/** Pixels of the longer side: enough for a screen and for an A4 print. */
const SIDE = 2400
/** librsvg itself rejects more than 200,000 elements; a longer text only costs memory. */
const MAX_BYTES = 20 * 1024 ** 2

/**
 * Reads the drawing from memory, so that it has no location against which a reference to another file could be
 * resolved. librsvg fetches nothing from the network.
 */
export async function drawSvg({ source, target }: Drawing): Promise<void> {
  const svg = await readFile(source)
  if (svg.length > MAX_BYTES) throw new RenderFault('damaged')
  await writeFile(target, await draw(svg).catch(toFault))
}

async function draw(svg: Buffer): Promise<Buffer> {
  return sharp(svg, { limitInputPixels: MAX_PIXELS, density: await densityFor(svg) })
    .resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .png({ compressionLevel: 3 })
    .toBuffer()
}

function toFault(error: unknown): never {
  const message = error instanceof Error ? error.message : ''
  throw new RenderFault(/pixel limit/i.test(message) ? 'pixels' : 'damaged')
}

const USUAL_DPI = 72

/** Returns the dots per inch at which the longer side has `SIDE` pixels, so that vectors are scaled, not pixels. */
async function densityFor(drawing: Buffer): Promise<number> {
  const [usual, half] = [await longerSide(drawing, USUAL_DPI), await longerSide(drawing, USUAL_DPI / 2)]
  // The size of a drawing in millimetres, inches or points grows with the square of the density, that in pixels with it.
  const power = Math.log2(usual / half) > 1.5 ? 2 : 1
  return Math.min(Math.max(USUAL_DPI * (SIDE / usual) ** (1 / power), 1), 100_000)
}

async function longerSide(drawing: Buffer, density: number): Promise<number> {
  const { width, height } = await sharp(drawing, { limitInputPixels: false, density }).metadata()
  return Math.max(width, height, 1)
}
