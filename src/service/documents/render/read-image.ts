import sharp, { type Sharp } from 'sharp'
import { encodePage, fitToPage, type PageImage } from '../encode.ts'
import { RenderFault } from './faults.ts'
import { MAX_INPUT_PIXELS, MAX_PAGES } from './limits.ts'
import type { PageBox } from './page-size.ts'

/** Scans and faxes hold several pages in one file; of an animation, each frame is a page. */
const HAS_PAGES = new Set(['image/tiff', 'image/gif', 'image/webp'])

export async function readImageBoxes(path: string, type: string): Promise<PageBox[]> {
  const first = await boxOf(path, 0)
  if (!HAS_PAGES.has(type) || first.pages <= 1) return [first.box]
  if (first.pages > MAX_PAGES) throw new RenderFault('pages')
  if (type !== 'image/tiff') return Array.from({ length: first.pages }, () => first.box)
  const boxes = [first.box]
  for (let page = 1; page < first.pages; page++) boxes.push((await boxOf(path, page)).box)
  return boxes
}

async function boxOf(path: string, page: number): Promise<{ box: PageBox; pages: number }> {
  const { autoOrient: box, width, height, pages = 1 } = await open(path, page).metadata().catch(toFault)
  if (width * height > MAX_INPUT_PIXELS) throw new RenderFault('pixels')
  return { box: { width: box.width, height: box.height }, pages }
}

export async function drawImage(path: string, pageNumber: number): Promise<PageImage> {
  const image = open(path, pageNumber - 1)
    .autoOrient()
    .toColourspace('srgb')
    .flatten({ background: '#ffffff' })
  return encodePage(sharp(...(await pixelsOf(fitToPage(image)))))
}

async function pixelsOf(image: Sharp): Promise<Parameters<typeof sharp>> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true }).catch(toFault)
  const { width, height, channels } = info
  return [data, { raw: { width, height, channels } }]
}

function open(path: string, page: number): Sharp {
  return sharp(path, { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'truncated', page, sequentialRead: true })
}

function toFault(error: unknown): never {
  const message = error instanceof Error ? error.message : ''
  throw new RenderFault(/pixel limit/i.test(message) ? 'pixels' : 'damaged')
}
