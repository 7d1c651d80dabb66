import sharp, { type Sharp } from 'sharp'
import { PAGE_WIDTH, type PixelSize, THUMBNAIL_WIDTH } from './render/page-size.ts'

/** One page as it is sent, unmarked. */
export interface PageImage extends PixelSize {
  jpeg: Buffer
  /** WebP. */
  thumbnail: Buffer
}

/** Raw pixels, four bytes each, as sharp takes them. */
export function fromRgba(data: Buffer, { width, height }: PixelSize): Sharp {
  return sharp(data, { raw: { width, height, channels: 4 } })
}

/** Encodes a page whose pixels are there: JPEG as it is, and a WebP thumbnail. */
export async function encodePage(page: Sharp): Promise<PageImage> {
  const pixels = page.removeAlpha()
  const [{ data: jpeg, info }, thumbnail] = await Promise.all([
    encodeJpeg(pixels.clone()).toBuffer({ resolveWithObject: true }),
    encodeThumbnail(pixels.clone()).toBuffer(),
  ])
  return { jpeg, thumbnail, width: info.width, height: info.height }
}

/** One setting for all page images: what is marked must not be told from what is not by its encoding. */
export const encodeJpeg = (image: Sharp): Sharp => image.jpeg({ quality: 80 })

export const encodeThumbnail = (image: Sharp): Sharp =>
  image.resize({ width: THUMBNAIL_WIDTH, height: THUMBNAIL_WIDTH * 2, fit: 'inside', withoutEnlargement: true }).webp({
    quality: 78,
    effort: 2,
  })

/** An image as a page: at most as wide as any other page, never made larger. */
export const fitToPage = (image: Sharp): Sharp =>
  image.resize({ width: PAGE_WIDTH, height: PAGE_WIDTH * 7.5, fit: 'inside', withoutEnlargement: true })
