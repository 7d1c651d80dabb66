import { MAX_PIXELS } from './limits.ts'

/** Width and height of a page as shown, in its own unit: points of a PDF, pixels of an image. */
export interface PageBox {
  width: number
  height: number
}

/** Pixels. */
export interface PixelSize {
  width: number
  height: number
}

/** In pixels: sharp on a high-density screen, and still readable when zoomed in. */
export const PAGE_WIDTH = 1600
export const THUMBNAIL_WIDTH = 320
/** Pixels of either side; an extremely long page is scaled down. */
const MAX_SIDE = 12_000

/** The size of a page's image: as wide as wanted, unless that is too large. Each side is at least one pixel. */
export function imageSizeOf(box: PageBox, wantedWidth = PAGE_WIDTH): PixelSize {
  const width = Math.max(box.width, 0.01)
  const height = Math.max(box.height, 0.01)
  const scale = Math.min(wantedWidth / width, MAX_SIDE / height, Math.sqrt(MAX_PIXELS / (width * height)))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
