import type { Block, TextBlock } from './blocks.ts'
import { breakLines, type Line } from './break-lines.ts'
import { HAIRLINE, NoMorePages, type Pages, SHADE } from './pages.ts'
import { setTable } from './set-table.ts'

export const LEADING = 1.42
/** Where the baseline is in the height of a line, in ems. */
export const BASELINE = 1.05
const RULE_SPACE = 10
const BAR_WIDTH = 2
const MARKER_GAP = 6

/** Sets blocks one below the other, as far as there may be pages. */
export function setBlocks(blocks: Iterable<Block>, pages: Pages): void {
  try {
    for (const block of blocks) {
      if (block.kind === 'text') setText(block, pages)
      else if (block.kind === 'table') setTable(block, pages)
      else setRule(pages)
    }
  } catch (error) {
    if (!(error instanceof NoMorePages)) throw error
  }
  pages.finish()
}

function setText(block: TextBlock, pages: Pages): void {
  const { size, indent = 0, hanging = 0, before = 0, after = 0, marker, isShaded } = block
  const height = size * LEADING
  if (block.isHeading) pages.need(before + height * 3)
  space(block, pages.y === 0 ? 0 : before, pages)
  const width = Math.max(pages.width - indent - (isShaded ? 8 : 0), size * 4)
  let isFirst = true
  for (const line of breakLines(block.spans, size, width, hanging)) {
    pages.need(height)
    const own = isFirst ? 0 : hanging
    const x = line.isRtl ? pages.width - indent - own - line.width : indent + own
    const baseline = pages.y + size * BASELINE
    if (isShaded) pages.box({ x: indent - 6, y: pages.y, width: pages.width - indent + 6, height: height + 0.3 }, SHADE)
    drawBars(block, pages, height)
    if (isFirst && marker !== undefined) drawMarker(marker, block, line, pages, baseline)
    pages.line(line, { x, baseline })
    pages.y += height
    isFirst = false
  }
  space(block, after, pages)
}

function drawMarker(marker: string, { size, indent = 0 }: TextBlock, line: Line, pages: Pages, baseline: number) {
  const [drawn] = breakLines([{ text: marker, style: { look: 'regular' } }], size, pages.width)
  if (!drawn) return
  const x = line.isRtl ? pages.width - indent + MARKER_GAP : indent - MARKER_GAP - drawn.width
  pages.line(drawn, { x, baseline })
}

/** Leaves space at the end of a page out. */
function space(block: { bars?: readonly number[] }, height: number, pages: Pages): void {
  const room = Math.min(height, pages.height - pages.y)
  if (room <= 0) return
  drawBars(block, pages, room)
  pages.y += room
}

export function drawBars({ bars = [] }: { bars?: readonly number[] }, pages: Pages, height: number): void {
  for (const x of bars) pages.box({ x, y: pages.y, width: BAR_WIDTH, height: height + 0.3 }, HAIRLINE)
}

function setRule(pages: Pages): void {
  pages.need(RULE_SPACE * 2)
  pages.box({ x: 0, y: pages.y + RULE_SPACE, width: pages.width, height: 0.7 }, HAIRLINE)
  pages.y += RULE_SPACE * 2
}
