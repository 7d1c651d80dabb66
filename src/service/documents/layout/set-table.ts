import type { Cell, TableBlock } from './blocks.ts'
import { breakLines, type Line } from './break-lines.ts'
import { HAIRLINE, type Pages, SHADE } from './pages.ts'
import { columnGroups, columnWidths, PADDING } from './table-columns.ts'

const LEADING = 1.35
const BASELINE = 1.02
const CELL_SPACE = 2.5
const SPACE_BESIDE = 8
const LABEL = { look: 'regular', color: 'muted' } as const

/** A row as lines of text. A row higher than a page is continued on the next one. */
interface SetRow {
  cells: readonly {
    lines: readonly Line[]
    column: number
    columns: number
    isRight: boolean
    href?: string | undefined
  }[]
  lines: number
  isHeader: boolean
}

/** Sets a table. Its header rows are repeated on each page, and so is the first column where columns are split. */
export function setTable(table: TableBlock, pages: Pages): void {
  const x = table.indent ?? 0
  const available = pages.width - x
  const widths = columnWidths(table, available)
  const groups = columnGroups(widths, available, table.mayBeSplit ?? false)
  const headers = table.headers.map((row) => setRow(row, widths, table, true))
  const height = (row: { from: number; to: number }) => (row.to - row.from) * table.size * LEADING + 2 * CELL_SPACE
  const whole = (row: SetRow) => ({ row, from: 0, to: row.lines })
  const headerHeight = headers.reduce((sum, row) => sum + height(whole(row)), 0)
  // A header that takes half of a page would leave no room for its table.
  const repeated = headerHeight < pages.height / 2 ? headers.map(whole) : []

  let band: Slice[] = headers.map(whole)
  let used = headerHeight
  const room = () => pages.height - pages.y
  const flush = () => {
    drawBand(band, { pages, table, widths, groups, x, height })
    band = [...repeated]
    used = repeated.reduce((sum, each) => sum + height(each), 0)
  }
  pages.need(SPACE_BESIDE + headerHeight + table.size * LEADING * 2)
  if (pages.y > 0) pages.y += SPACE_BESIDE
  for (const cells of table.rows) {
    const row = setRow(cells, widths, table, false)
    for (let from = 0; from < row.lines;) {
      const left = Math.floor((room() - used - 2 * CELL_SPACE) / (table.size * LEADING))
      const fits = left >= row.lines - from
      // A row is continued only if it would not fit on a page of its own.
      const isTall = row.lines * table.size * LEADING > pages.height / 2
      const to = fits ? row.lines : isTall && left > 0 ? from + left : from
      if (to > from) {
        const slice = { row, from, to }
        band.push(slice)
        used += height(slice)
        from = to
      }
      if (!fits) {
        flush()
        pages.turn()
      }
    }
  }
  if (band.length > 0) flush()
  pages.y = Math.min(pages.height, pages.y + SPACE_BESIDE)
}

interface Slice {
  row: SetRow
  from: number
  to: number
}

function setRow(cells: readonly Cell[], widths: readonly number[], { size }: TableBlock, isHeader: boolean): SetRow {
  let column = 0
  const set: SetRow['cells'][number][] = []
  for (const cell of cells) {
    const columns = Math.min(cell.columns ?? 1, widths.length - column)
    if (columns < 1) break
    const width = widths.slice(column, column + columns).reduce((sum, each) => sum + each, 0) - 2 * PADDING
    const lines = [...breakLines(cell.spans, size, width)]
    set.push({ lines, column, columns, isRight: cell.isRight ?? false, href: cell.href })
    column += columns
  }
  return { cells: set, lines: Math.max(1, ...set.map(({ lines }) => lines.length)), isHeader }
}

interface Drawing {
  pages: Pages
  table: TableBlock
  widths: readonly number[]
  groups: readonly (readonly number[])[]
  x: number
  height(slice: Slice): number
}

/** Draws the rows of one page, once for each group of columns, each on a page of its own. */
function drawBand(band: readonly Slice[], drawing: Drawing): void {
  const { pages, groups } = drawing
  const top = pages.y
  for (const [index, group] of groups.entries()) {
    if (index > 0) {
      pages.turn()
      pages.y = top
    }
    if (groups.length > 1) drawLabel(group, drawing)
    for (const slice of band) drawSlice(slice, group, drawing)
  }
}

function drawLabel(group: readonly number[], { pages, table }: Drawing): void {
  const columns = group.length > 1 && group[1] !== 1 ? group.slice(1) : group
  const text = `Columns ${(columns[0] ?? 0) + 1}–${(columns.at(-1) ?? 0) + 1} of ${table.columns}`
  const [line] = breakLines([{ text, style: LABEL }], table.size, pages.width)
  if (line) pages.line(line, { x: 0, baseline: pages.y - table.size })
}

function drawSlice(slice: Slice, group: readonly number[], { pages, table, widths, x, height }: Drawing): void {
  const { row, from, to } = slice
  const down = height(slice)
  const across = group.reduce((sum, column) => sum + (widths[column] ?? 0), 0)
  if (row.isHeader) pages.box({ x, y: pages.y, width: across, height: down }, SHADE)
  pages.box({ x, y: pages.y + down - 0.5, width: across, height: 0.5 }, HAIRLINE)
  const places = new Map<number, number>()
  let start = x
  for (const column of group) {
    places.set(column, start)
    start += widths[column] ?? 0
  }
  for (const { lines, column, columns, isRight, href } of row.cells) {
    const place = places.get(column)
    if (place === undefined) continue
    const width = widths.slice(column, column + columns).reduce((sum, each) => sum + each, 0)
    for (const [index, line] of lines.slice(from, to).entries()) {
      const free = width - 2 * PADDING - line.width
      const baseline = pages.y + CELL_SPACE + index * table.size * LEADING + table.size * BASELINE
      const left = place + PADDING + (isRight || line.isRtl ? free : 0)
      pages.line(line, { x: left, baseline })
      const link = { x: left, y: baseline - table.size * BASELINE, width: line.width, height: table.size * LEADING }
      if (href !== undefined && line.width > 0) pages.link(link, href)
    }
  }
  pages.y += down
}
