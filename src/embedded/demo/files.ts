import { docx, pptx, xlsx } from './office.ts'
import { japaneseLetter } from './pdf/japanese.ts'
import { type Block, type Cell, report, type Report } from './pdf/report.ts'
import { scanned } from './pdf/scan.ts'

/** A file of the demo; its content is made when it is uploaded. */
export interface DemoFile {
  name: string
  content: () => Uint8Array | Promise<Uint8Array>
}

export interface DemoFolder {
  name: string
  files?: DemoFile[]
  folders?: DemoFolder[]
}

/** A string is a paragraph. */
type Content = (Block | string)[]

const blocksOf = (content: Content): Block[] =>
  content.map((each) => (typeof each === 'string' ? { kind: 'text', text: each } : each))

/** A PDF made of blocks. */
export const paper = (name: string, facts: Omit<Report, 'title' | 'blocks'>, ...content: Content): DemoFile => ({
  name: `${name}.pdf`,
  content: () => report({ title: name, ...facts, blocks: blocksOf(content) }),
})

/** The same PDF, as if scanned. */
export const scan = (name: string, facts: Omit<Report, 'title' | 'blocks'>, ...content: Content): DemoFile => ({
  name: `${name}.pdf`,
  content: () => scanned(name, report({ title: name, ...facts, foot: '', blocks: blocksOf(content) })),
})

export const japanesePaper = (name: string, ...paragraphs: string[]): DemoFile => ({
  name: `${name}.pdf`,
  content: () => japaneseLetter(name, paragraphs),
})

/** A Word document; lines that begin with "# " are headings. */
export const draft = (name: string, ...paragraphs: string[]): DemoFile => ({
  name: `${name}.docx`,
  content: () => docx(name, paragraphs),
})

export const arabicDraft = (name: string, ...paragraphs: string[]): DemoFile => ({
  name: `${name}.docx`,
  content: () => docx(name, paragraphs, { right: true }),
})

export const workbook = (name: string, sheets: Record<string, Cell[][]>): DemoFile => ({
  name: `${name}.xlsx`,
  content: () => xlsx(sheets),
})

export const slides = (name: string, ...all: [title: string, ...lines: string[]][]): DemoFile => ({
  name: `${name}.pptx`,
  content: () => pptx(all.map(([title, ...lines]) => ({ title, lines }))),
})

export const list = (name: string, ...rows: Cell[][]): DemoFile => ({
  name: `${name}.csv`,
  content: () => Buffer.from(rows.map((row) => row.map(csvCell).join(',') + '\r\n').join('')),
})

export const note = (name: string, text: string): DemoFile => ({
  name: `${name}.txt`,
  content: () => Buffer.from(`${text}\n`),
})

export const picture = (name: string, content: DemoFile['content']): DemoFile => ({ name, content })

const csvCell = (value: Cell) =>
  /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value)
