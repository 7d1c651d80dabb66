import { MAX_PIXELS } from './limits.ts'

/** Width and height of a page as it is shown, in its own unit: points of a PDF, pixels of an image. */
export interface PageBox {
  width: number
  height: number
}

/** Pixels. */
export interface PixelSize {
  width: number
  height: number
}

/** Wide enough for a page on a dense screen; zooming in stays readable. */
export const PAGE_WIDTH = 1600
export const THUMBNAIL_WIDTH = 320
/** Of either side: a strip as long as a street is made smaller. */
const MAX_SIDE = 12_000

/** The size of a page's image: as wide as wanted, unless that makes it too long. Both sides have a pixel at least. */
export function imageSizeOf(box: PageBox, wantedWidth = PAGE_WIDTH): PixelSize {
  const width = Math.max(box.width, 0.01)
  const height = Math.max(box.height, 0.01)
  const scale = Math.min(wantedWidth / width, MAX_SIDE / height, Math.sqrt(MAX_PIXELS / (width * height)))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
