import sharp, { type Sharp } from 'sharp'
import { PAGE_WIDTH, type PixelSize, THUMBNAIL_WIDTH } from './render/page-size.ts'

/** One encoded page, without a mark. */
export interface PageImage extends PixelSize {
  jpeg: Buffer
  /** WebP. */
  thumbnail: Buffer
}

/** Wraps raw pixels, four bytes each, for sharp. */
export function fromRgba(data: Buffer, { width, height }: PixelSize): Sharp {
  return sharp(data, { raw: { width, height, channels: 4 } })
}

/** Encodes a page as a JPEG in its own size and a WebP thumbnail. */
export async function encodePage(page: Sharp): Promise<PageImage> {
  const pixels = page.removeAlpha()
  const [{ data: jpeg, info }, thumbnail] = await Promise.all([
    encodeJpeg(pixels.clone()).toBuffer({ resolveWithObject: true }),
    encodeThumbnail(pixels.clone()).toBuffer(),
  ])
  return { jpeg, thumbnail, width: info.width, height: info.height }
}

/** All page images share this setting, so that the encoding does not reveal whether a page is marked. */
export const encodeJpeg = (image: Sharp): Sharp => image.jpeg({ quality: 80 })

/** Pages of sealed copies take a third to a half less than in JPEG. */
export const encodeSealed = (image: Sharp): Sharp => image.webp({ quality: 75, effort: 2 })

export const encodeThumbnail = (image: Sharp): Sharp =>
  image.resize({ width: THUMBNAIL_WIDTH, height: THUMBNAIL_WIDTH * 2, fit: 'inside', withoutEnlargement: true }).webp({
    quality: 78,
    effort: 2,
  })

/** Shrinks an image to the size of a page; never enlarges it. */
export const fitToPage = (image: Sharp): Sharp =>
  image.resize({ width: PAGE_WIDTH, height: PAGE_WIDTH * 7.5, fit: 'inside', withoutEnlargement: true })
