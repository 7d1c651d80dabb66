import type { Contour } from './pieces.ts'
import type { Box } from './matrix.ts'

/**
 * One bit per pixel, row by row from the top, rows padded to bytes; 0 is painted, as in an image mask of PDF. Each row
 * has padding, which can be varied.
 */
export interface Bitmap {
  width: number
  height: number
  bits: Buffer
}

/** Fills outlines by the nonzero winding rule, `units` pixels to an em. */
export function drawBitmap(contours: readonly Contour[], [left, bottom, right, top]: Box, units: number): Bitmap {
  const pixels = Math.max(1, Math.ceil((right - left) * units))
  const width = pixels % 8 === 0 ? pixels + 1 : pixels
  const height = Math.max(1, Math.ceil((top - bottom) * units))
  const stride = Math.ceil(width / 8)
  const bits = Buffer.alloc(stride * height, 0xff)
  for (let row = 0; row < height; row++) {
    const y = top - (row + 0.5) / units
    let winding = 0
    let from = 0
    for (const { x, turn } of crossings(contours, y)) {
      const pixel = Math.min(width, Math.max(0, Math.round((x - left) * units)))
      if (winding !== 0) for (let at = from; at < pixel; at++) clear(bits, row * stride, at)
      winding += turn
      from = pixel
    }
  }
  return { width, height, bits }
}

function clear(bits: Buffer, start: number, at: number): void {
  const byte = start + (at >> 3)
  bits[byte] = (bits[byte] ?? 0) & ~(0x80 >> (at & 7))
}

function crossings(contours: readonly Contour[], y: number): { x: number; turn: number }[] {
  const found: { x: number; turn: number }[] = []
  for (const contour of contours) {
    for (let at = 0; at < contour.length; at += 2) {
      const next = (at + 2) % contour.length
      const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = [contour[at], contour[at + 1], contour[next], contour[next + 1]]
      if (y0 <= y === y1 <= y) continue
      found.push({ x: x0 + ((y - y0) / (y1 - y0)) * (x1 - x0), turn: y1 > y0 ? 1 : -1 })
    }
  }
  return found.toSorted((a, b) => a.x - b.x)
}
