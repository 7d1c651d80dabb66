import sharp, { type Metadata } from 'sharp'
import { LOGO } from '../../../contract/endpoints/looks/logo-limits.ts'
import { RenderFault } from './faults.ts'

const FORMATS: readonly string[] = ['png', 'jpeg', 'webp', 'svg']

/**
 * Draws a picture again as a PNG that fits the box of a logo. Nothing but pixels remains: no metadata, no profile, no
 * second format in the same bytes, no script. A drawing is read from memory, so that it refers to no other file.
 */
export async function drawLogo({ picture }: { picture: Uint8Array }): Promise<Buffer> {
  const bytes = Buffer.from(picture)
  const { format, width, height } = await headerOf(bytes)
  if (width > LOGO.maxSide || height > LOGO.maxSide) throw new RenderFault('pixels')
  const density = format === 'svg' ? Math.min(Math.max((72 * LOGO.width) / width, 72), 2400) : 72
  const drawn = sharp(bytes, { limitInputPixels: LOGO.maxSide ** 2, failOn: 'truncated', density, page: 0 })
    .autoOrient()
    .toColourspace('srgb')
    .resize({ width: LOGO.width, height: LOGO.height, fit: 'inside', withoutEnlargement: true })
  const encode = (palette: boolean) => drawn.png({ compressionLevel: 9, palette }).toBuffer().catch(damaged)
  const exact = await encode(false)
  return exact.length <= LOGO.maxBytes ? exact : encode(true)
}

async function headerOf(bytes: Buffer): Promise<Metadata> {
  const header = await sharp(bytes, { limitInputPixels: false }).metadata().catch(damaged)
  if (!FORMATS.includes(header.format)) throw new RenderFault('damaged')
  return header
}

function damaged(error: unknown): never {
  const message = error instanceof Error ? error.message : ''
  throw new RenderFault(/pixel limit/i.test(message) ? 'pixels' : 'damaged')
}
