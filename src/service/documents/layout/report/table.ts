import { HAIRLINE, type Pages } from '../pages.ts'
import { fitLines, LINE, write } from './fit-text.ts'

/** Space between columns. */
export const GAP = 8
const LABEL_SIZE = 7
const HEADING = 12

export interface Column {
  label: string
  width: number
  isRight?: boolean
}

/** Where a column is, without the gap behind it. */
export interface Field {
  x: number
  width: number
}

interface Rows<Row> {
  columns: readonly Column[]
  rows: readonly Row[]
  height: number | ((row: Row) => number)
  draw: (row: Row, fields: readonly Field[], top: number) => void
  /** What is said below the last row. */
  foot?: string | undefined
}

/** Writes the heading of a section, which stays with the content that follows it. */
export function writeHeading(
  pages: Pages,
  text: string,
  { note, with: needed = 60 }: { note?: string; with?: number } = {},
): void {
  pages.need(needed + 40)
  if (pages.y > 0) pages.y += 22
  write(pages, text, { x: 0, baseline: pages.y + HEADING, width: pages.width, size: HEADING, look: 'bold' })
  pages.y += HEADING + 6
  if (note === undefined) return
  const size = 7.5
  const lines = write(pages, note, {
    x: 0,
    baseline: pages.y + size,
    width: pages.width,
    size,
    isMuted: true,
    lines: 2,
  })
  pages.y += lines * size * LINE + 6
}

/** Draws rows of one height. Each page begins with the labels of the columns. */
export function drawRows<Row>(pages: Pages, { columns, rows, height: of, draw, foot }: Rows<Row>): void {
  let x = 0
  const fields = columns.map(({ width }) => {
    const field = { x, width: width - GAP }
    x += width
    return field
  })
  // The last column ends where the text of the page ends.
  const last = fields.at(-1)
  if (last) last.width = pages.width - last.x
  drawLabels(pages, columns, fields)
  for (const row of rows) {
    const height = typeof of === 'number' ? of : of(row)
    if (pages.y + height > pages.height) {
      pages.turn()
      drawLabels(pages, columns, fields)
    }
    draw(row, fields, pages.y)
    pages.y += height
    pages.box({ x: 0, y: pages.y - 0.4, width: pages.width, height: 0.4 }, HAIRLINE)
  }
  if (foot !== undefined) writeFoot(pages, foot)
}

function drawLabels(pages: Pages, columns: readonly Column[], fields: readonly Field[]): void {
  const style = { size: LABEL_SIZE, isMuted: true, lines: 2 }
  const heights = columns.map(({ label }, at) => fitLines(label, { ...style, width: fields[at]?.width ?? 0 }).length)
  const lines = Math.max(1, ...heights)
  for (const [at, { label, isRight = false }] of columns.entries()) {
    const field = fields[at]
    const above = lines - (heights[at] ?? 0)
    const baseline = pages.y + LABEL_SIZE + above * LABEL_SIZE * LINE
    if (field) write(pages, label, { ...style, ...field, isRight, baseline })
  }
  pages.y += lines * LABEL_SIZE * LINE + 4
  pages.box({ x: 0, y: pages.y - 0.8, width: pages.width, height: 0.8 }, '0.55 0.58 0.62')
}

function writeFoot(pages: Pages, text: string): void {
  const size = 8
  pages.need(18)
  write(pages, text, { x: 0, baseline: pages.y + 13, width: pages.width, size, isMuted: true })
  pages.y += 18
}
