export interface Size {
  width: number
  height: number
}

/** A number is a factor of the natural size: 1.25 is 125 %. `auto` is as wide as the window, while the image is sharp. */
export type Zoom = 'auto' | 'width' | 'page' | number
export type Turn = 0 | 90 | 180 | 270

/** CSS pixels around and between pages. */
export const MARGIN = 16
export const SMALLEST = 0.1
export const LARGEST = 5
/** Pixels of an image per pixel of its natural size; small images have no more. */
const DENSE = { from: 800, scale: 2 }

/**
 * Returns the size in CSS pixels at 100 %. Images are made for dense screens, so this is half their width, but at least
 * 800 pixels. An image narrower than that keeps its width.
 */
export function naturalSize({ width, height }: Size): Size {
  const shown = Math.min(width, Math.max(width / 2, 800))
  return { width: shown, height: (height * shown) / width }
}

export const turned = ({ width, height }: Size, turn: Turn): Size =>
  turn % 180 === 0 ? { width, height } : { width: height, height: width }

/** `page` is the page that must fit if `zoom` is `page`. */
export function scaleOf(zoom: Zoom, view: Size, sizes: readonly Size[], page: number): number {
  if (typeof zoom === 'number') return zoom
  const widest = sizes.reduce((most, { width }) => Math.max(most, width), 1)
  const byWidth = (view.width - 2 * MARGIN) / widest
  if (zoom === 'width') return bounded(byWidth)
  if (zoom === 'auto') return bounded(Math.min(byWidth, widest < DENSE.from ? 1 : DENSE.scale))
  const { width = widest, height = widest } = sizes[page - 1] ?? sizes[0] ?? {}
  return bounded(Math.min((view.width - 2 * MARGIN) / width, (view.height - 2 * MARGIN) / height))
}

export const bounded = (scale: number): number => Math.min(LARGEST, Math.max(SMALLEST, scale))

const STEPS = [0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 5]

/** Returns the next rounder scale above or below. */
export function nextStep(scale: number, direction: 1 | -1): number {
  const beyond = (step: number) => (direction === 1 ? step > scale * 1.01 : step < scale * 0.99)
  const steps = direction === 1 ? STEPS : STEPS.toReversed()
  return steps.find(beyond) ?? bounded(scale)
}

/** The image keeps its own orientation and is rotated about the middle of its box. */
export function turnedStyle({ width, height }: Size, turn: Turn) {
  const transform = `translate(-50%, -50%) rotate(${turn}deg)`
  return turn % 180 === 0 ? { width: '100%', height: '100%', transform } : { width: height, height: width, transform }
}

/** Returns where a part of a page image is in its rotated page, in shares of the page. */
export function turnedPart(part: Size & { x: number; y: number }, image: Size, turn: Turn): Box {
  const [left, width] = [part.x / image.width, part.width / image.width]
  const [top, height] = [part.y / image.height, part.height / image.height]
  if (turn === 90) return { left: 1 - top - height, top: left, width: height, height: width }
  if (turn === 180) return { left: 1 - left - width, top: 1 - top - height, width, height }
  if (turn === 270) return { left: top, top: 1 - left - width, width: height, height: width }
  return { left, top, width, height }
}

export interface Box extends Size {
  top: number
  left: number
}

export interface Layout extends Size {
  /** In the order of the pages. */
  boxes: readonly Box[]
}

/** Lays the pages out in one centred column. Every position is known before any image has loaded. */
export function layOut(sizes: readonly Size[], scale: number, viewWidth: number): Layout {
  const widest = sizes.reduce((most, { width }) => Math.max(most, width), 0) * scale
  const width = Math.max(viewWidth, widest + 2 * MARGIN)
  let top = MARGIN
  const boxes = sizes.map((size) => {
    const box = { top, left: (width - size.width * scale) / 2, width: size.width * scale, height: size.height * scale }
    top += box.height + MARGIN
    return box
  })
  return { boxes, width, height: top }
}

/** Returns the index of the last page that begins at or above a height. */
export function indexAt({ boxes }: Layout, height: number): number {
  let low = 0
  let high = boxes.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((boxes[middle]?.top ?? 0) <= height) low = middle
    else high = middle - 1
  }
  return low
}

/** Returns the first and last index in view, with one more page at either end. */
export function inSight(layout: Layout, top: number, height: number): { first: number; last: number } {
  const first = Math.max(0, indexAt(layout, top) - 1)
  const last = Math.min(layout.boxes.length - 1, indexAt(layout, top + height) + 1)
  return { first, last }
}

/** Returns the page that is most visible; on a tie, the first. Pages count from 1. */
export function mainPage(layout: Layout, top: number, height: number): number {
  let best = { page: 1, seen: -1 }
  for (let index = indexAt(layout, top); index <= indexAt(layout, top + height); index += 1) {
    const box = layout.boxes[index]
    if (!box) continue
    const seen = Math.min(box.top + box.height, top + height) - Math.max(box.top, top)
    if (seen > best.seen + 1) best = { page: index + 1, seen }
  }
  return best.page
}

/** A position in the document, whatever its scale: the index of a page, and the share of the page above it. */
export interface ScrollPosition {
  index: number
  share: number
}

export function positionAt(layout: Layout, height: number): ScrollPosition {
  const index = indexAt(layout, height)
  const box = layout.boxes[index]
  return { index, share: box && box.height > 0 ? (height - box.top) / box.height : 0 }
}

export function heightOf({ boxes }: Layout, { index, share }: ScrollPosition): number {
  const box = boxes[index]
  return box ? box.top + share * box.height : 0
}
