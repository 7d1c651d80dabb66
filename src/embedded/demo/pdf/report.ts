import { assemble } from './assemble.ts'
import { Canvas, INK, LINE, PALE, TEAL, TINT, WHITE } from './canvas.ts'
import { wrap } from './metrics.ts'

export type Cell = string | number

export type Block =
  | { kind: 'heading' | 'text'; text: string }
  | { kind: 'points'; points: string[] }
  | { kind: 'table'; rows: Cell[][] }
  | { kind: 'bars'; title: string; bars: [label: string, value: number][] }
  | { kind: 'page' }

export interface Report {
  title: string
  /** A line below the title. */
  subtitle?: string
  /** The first page is a cover. */
  cover?: boolean
  /** Text at the foot of each page. */
  foot?: string
  blocks: Block[]
}

export const heading = (text: string): Block => ({ kind: 'heading', text })
export const points = (...points: string[]): Block => ({ kind: 'points', points })
/** The first row is the head; numbers are right-aligned. */
export const table = (...rows: Cell[][]): Block => ({ kind: 'table', rows })
export const bars = (title: string, ...bars: [string, number][]): Block => ({ kind: 'bars', title, bars })
export const newPage: Block = { kind: 'page' }

const A4 = { width: 595, height: 842 }
const LEFT = 64
const WIDTH = A4.width - 2 * LEFT
const TOP = A4.height - 84
const BOTTOM = 72
const TEXT = { size: 10, line: 14.5 }
const ROW = 18

/** A4 pages of headings, text, tables and charts, with a head and a foot. */
export function report({ title, subtitle, cover = false, foot = 'Strictly confidential', blocks }: Report): Uint8Array {
  const layout = new Layout()
  if (cover) drawCover(layout.newPage(), title, subtitle)
  layout.newPage()
  if (!cover) drawTitle(layout, title, subtitle)
  for (const block of blocks) layout.add(block)
  layout.pages.forEach((page, at) => {
    if (cover && at === 0) return
    page.text(LEFT, A4.height - 48, title, { size: 8, colour: PALE })
    page.line([
      [LEFT, 54],
      [LEFT + WIDTH, 54],
    ])
    page.text(LEFT, 40, foot, { size: 8, colour: PALE })
    const number = `Page ${at + 1} of ${layout.pages.length}`
    page.text(LEFT + WIDTH, 40, number, { size: 8, colour: PALE, align: 'right' })
  })
  return assemble(title, layout.pages)
}

function drawCover(page: Canvas, title: string, subtitle = ''): void {
  page.fill(0, 0, A4.width, A4.height, TEAL)
  page.fill(0, 250, A4.width, 3, [0.85, 0.66, 0.3])
  for (const [at, height] of [60, 110, 84, 150, 70, 128, 96].entries()) {
    page.fill(64 + at * 68, 253, 44, height, [0.08, 0.44, 0.48])
  }
  wrap(title, WIDTH, 34, 'bold').forEach((line, at) =>
    page.text(LEFT, 640 - at * 40, line, { size: 34, weight: 'bold', colour: WHITE }),
  )
  page.text(LEFT, 520, subtitle, { size: 14, colour: WHITE })
  page.text(LEFT, 90, 'Strictly confidential', { size: 10, colour: WHITE })
}

function drawTitle(layout: Layout, title: string, subtitle: string | undefined): void {
  for (const line of wrap(title, WIDTH, 20, 'bold')) layout.line(line, { size: 20, line: 26, weight: 'bold' })
  if (subtitle !== undefined) layout.line(subtitle, { size: 11, line: 16, colour: PALE })
  layout.y -= 12
}

class Layout {
  readonly pages: Canvas[] = []
  y = TOP

  newPage(): Canvas {
    const page = new Canvas(A4.width, A4.height)
    this.pages.push(page)
    this.y = TOP
    return page
  }

  /** Returns the last page where `height` points still fit, or a new page. */
  private room(height: number): Canvas {
    const last = this.pages.at(-1)
    return last && this.y - height >= BOTTOM ? last : this.newPage()
  }

  line(text: string, { size, line, ...style }: { size: number; line: number } & LineStyle, indent = 0): void {
    this.room(line).text(LEFT + indent, this.y, text, { size, ...style })
    this.y -= line
  }

  add(block: Block): void {
    switch (block.kind) {
      case 'heading':
        this.y -= 8
        this.room(60)
        return this.line(block.text, { size: 13, line: 21, weight: 'bold', colour: TEAL })
      case 'text':
        for (const line of wrap(block.text, WIDTH, TEXT.size)) this.line(line, TEXT)
        this.y -= 6
        return
      case 'points':
        return this.addPoints(block.points)
      case 'table':
        return this.addTable(block.rows)
      case 'bars':
        return this.addBars(block.title, block.bars)
      case 'page':
        this.newPage()
    }
  }

  private addPoints(items: string[]): void {
    for (const item of items) {
      wrap(item, WIDTH - 16, TEXT.size).forEach((line, at) => {
        this.line(line, TEXT, 16)
        if (at === 0) this.pages.at(-1)?.text(LEFT + 4, this.y + TEXT.line, '•', { size: TEXT.size, colour: TEAL })
      })
    }
    this.y -= 6
  }

  private addTable(rows: Cell[][]): void {
    const shares = columnShares(rows)
    const hasTenths = (column: number) =>
      rows.some((row) => !Number.isInteger(row[column] ?? 0) && typeof row[column] === 'number')
    const tenths = shares.map((_, column) => hasTenths(column))
    for (const [at, row] of rows.entries()) {
      const page = this.room(ROW)
      if (at === 0) page.fill(LEFT, this.y - 6, WIDTH, ROW, TINT)
      let x = LEFT
      row.forEach((cell, column) => {
        const width = (shares[column] ?? 0) * WIDTH
        const isNumber = typeof (rows[1] ?? row)[column] === 'number'
        const style = { size: 9, weight: at === 0 ? ('bold' as const) : ('regular' as const) }
        if (isNumber)
          page.text(
            x + width - 5,
            this.y,
            tenths[column] && typeof cell === 'number' ? cell.toFixed(1) : textOf(cell),
            { ...style, align: 'right' },
          )
        else page.text(x + 5, this.y, wrap(textOf(cell), width - 8, 9, style.weight)[0] ?? '', style)
        x += width
      })
      page.line([
        [LEFT, this.y - 6],
        [LEFT + WIDTH, this.y - 6],
      ])
      this.y -= ROW
    }
    this.y -= 10
  }

  private addBars(title: string, all: [string, number][]): void {
    const height = 150
    const page = this.room(height + 36)
    page.text(LEFT, this.y, title, { size: 9, weight: 'bold' })
    const base = this.y - height
    const most = Math.max(...all.map(([, value]) => value))
    const step = WIDTH / all.length
    all.forEach(([label, value], at) => {
      const tall = (value / most) * (height - 34)
      const middle = LEFT + step * (at + 0.5)
      page.fill(middle - step * 0.28, base, step * 0.56, tall, TEAL)
      page.text(middle, base + tall + 4, textOf(value), { size: 8, align: 'center' })
      page.text(middle, base - 12, label, { size: 8, colour: PALE, align: 'center' })
    })
    page.line(
      [
        [LEFT, base],
        [LEFT + WIDTH, base],
      ],
      LINE,
      1,
    )
    this.y = base - 34
  }
}

interface LineStyle {
  weight?: 'regular' | 'bold'
  colour?: typeof INK
}

/** Shares of the width by the longest cell of each column, within limits. */
function columnShares(rows: Cell[][]): number[] {
  const columns = Math.max(...rows.map((row) => row.length))
  const lengths = Array.from({ length: columns }, (_, at) =>
    Math.max(9, ...rows.map((row) => Math.min(46, textOf(row[at] ?? '').length + 2))),
  )
  const sum = lengths.reduce((all, each) => all + each, 0)
  return lengths.map((length) => length / sum)
}

export const textOf = (cell: Cell): string =>
  typeof cell === 'number' && (cell >= 10_000 || !Number.isInteger(cell)) ? cell.toLocaleString('en-GB') : String(cell)
