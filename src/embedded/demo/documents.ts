import { docx, xlsx } from './office.ts'
import { pdf } from './pdf.ts'
import { png } from './png.ts'

/** A file of the demo; its content is made when it is uploaded. */
export interface DemoFile {
  name: string
  content: () => Uint8Array
}

type Cell = string | number

export const letter = (name: string, ...paragraphs: string[]): DemoFile => ({
  name: `${name}.pdf`,
  content: () => pdf(name, paragraphs),
})

export const draft = (name: string, ...paragraphs: string[]): DemoFile => ({
  name: `${name}.docx`,
  content: () => docx(name, paragraphs),
})

export const sheet = (name: string, rows: Cell[][]): DemoFile => ({
  name: `${name}.xlsx`,
  content: () => xlsx(name.slice(0, 31), rows),
})

export const list = (name: string, rows: Cell[][]): DemoFile => ({
  name: `${name}.csv`,
  content: () => Buffer.from(rows.map((row) => row.map(csvCell).join(',') + '\r\n').join('')),
})

export const note = (name: string, text: string): DemoFile => ({
  name: `${name}.txt`,
  content: () => Buffer.from(`${text}\n`),
})

const csvCell = (value: Cell) =>
  /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value)

const WATER = [180, 208, 214] as const
const QUAY = [214, 209, 196] as const
const SHED = [11, 93, 102] as const
const YARD = [238, 234, 222] as const
const ROAD = [120, 128, 132] as const

/** The terminal from above: water, quay, yard, three sheds and the road behind them. */
export const sitePlan = (name: string): DemoFile => ({
  name: `${name}.png`,
  content: () =>
    png(960, 600, WATER, [
      { x: 0, y: 180, width: 960, height: 420, colour: QUAY },
      { x: 40, y: 230, width: 880, height: 260, colour: YARD },
      { x: 80, y: 260, width: 220, height: 120, colour: SHED },
      { x: 360, y: 260, width: 220, height: 120, colour: SHED },
      { x: 640, y: 260, width: 240, height: 180, colour: SHED },
      { x: 0, y: 530, width: 960, height: 30, colour: ROAD },
      ...[80, 280, 480, 680, 880].map((x) => ({ x, y: 120, width: 24, height: 110, colour: ROAD })),
    ]),
})
