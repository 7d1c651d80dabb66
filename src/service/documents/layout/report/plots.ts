import { dropOffOf, type GroupPages, spansOf, stepOf } from '../../../../contract/engagement/page-times.ts'
import type { Pages } from '../pages.ts'

// Plots are boxes, which printers draw sharply. Each differs from its ground in lightness, so that it is read in grey too.

export const INK = '0.043 0.365 0.4'
const TRACK = '0.9 0.915 0.92'
/** Height of a page that nobody read. */
const UNREAD = 2
export const PAPER = '1 1 1'
const STOP = '0.75 0.3 0'
const STEPS = [
  '0.885 0.925 0.93',
  '0.79 0.855 0.865',
  '0.66 0.765 0.78',
  '0.48 0.64 0.66',
  '0.22 0.49 0.52',
  '0.043 0.365 0.4',
]

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** A bar that is filled by a share from 0 to 1. What is more than nothing can be seen. */
export function drawBar(pages: Pages, box: Box, share: number): void {
  pages.box(box, TRACK)
  const filled = Math.min(1, share) * box.width
  if (share > 0) pages.box({ ...box, width: Math.max(0.75, filled) }, INK)
}

export const shareOf = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)

/** The pages of a document side by side, stronger where readers stayed longer, and a mark where most of them stop. */
export function drawStrip(pages: Pages, { x, y, width, height }: Box, read: GroupPages, count: number): void {
  const spans = spansOf(read, count)
  const most = Math.max(0, ...spans.map(({ ms }) => ms))
  const step = Math.min(width / spans.length, height * 4)
  const gap = Math.min(1, step / 5)
  for (const [at, { ms }] of spans.entries()) {
    const field = { x: x + at * step, y, width: step - gap, height }
    if (ms > 0) pages.box(field, STEPS[stepOf(ms, most)] ?? INK)
    else pages.box({ ...field, y: y + height - UNREAD, height: UNREAD }, TRACK)
  }
  const stop = dropOffOf(read, count)
  const last = stop && spans.findIndex((span) => stop.page <= span.last)
  if (last === undefined || last < 0) return
  const edge = x + (last + 1) * step - gap / 2
  pages.box({ x: edge - 2.2, y, width: 4.4, height }, PAPER)
  pages.box({ x: edge - 1, y: y - 2.5, width: 2, height: height + 5 }, STOP)
}
