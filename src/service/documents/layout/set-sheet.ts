import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { type Block, LANDSCAPE, type Row, type Style } from './blocks.ts'
import { openPages } from './pages.ts'
import { setBlocks } from './set-blocks.ts'
import { timesIn } from './times.ts'

export interface SheetTask {
  /** A file with the texts of a row on each line, as JSON. */
  source: string
  target: string
  title: string
  language: 'en' | 'de'
  timeZone: string
  /** When it was read. */
  at: string
  columns: readonly string[]
  /** The column that takes the room that is left. */
  widest: number
}

const MAX_PAGES = 2000
const SIZE = 8.5
const TITLE_SIZE = 16
const SAMPLE = 500
const PLAIN: Style = { look: 'regular' }
const BOLD: Style = { look: 'bold' }
const MUTED: Style = { look: 'regular', color: 'muted' }

interface Sheet {
  title: string
  subtitle: string
  headers: Row
  rows: Iterable<Row>
  sample: Row[]
  widest: number
}

/** A title, what is said below it, and a table. */
export function* blocksOfSheet({ title, subtitle, headers, rows, sample, widest }: Sheet): Generator<Block> {
  yield { kind: 'text', spans: [{ text: title, style: BOLD }], size: TITLE_SIZE, isHeading: true }
  yield { kind: 'text', spans: [{ text: subtitle, style: MUTED }], size: SIZE, after: 6 }
  yield { kind: 'table', columns: headers.length, headers: [headers], rows, sample, widest, size: SIZE }
}

/** Sets a table of texts as a PDF. */
export async function setSheet({ source, target, title, language, timeZone, at, columns, widest }: SheetTask) {
  const rows: Row[] = []
  for await (const line of createInterface({ input: createReadStream(source, 'utf8') }))
    rows.push((JSON.parse(line) as string[]).map((text) => ({ spans: [{ text, style: PLAIN }] })))
  const headers = columns.map((text) => ({ spans: [{ text, style: BOLD }] }))
  const subtitle = timesIn(language, timeZone)(at)
  const pages = openPages(target, LANDSCAPE, MAX_PAGES)
  try {
    setBlocks(blocksOfSheet({ title, subtitle, headers, rows, sample: rows.slice(0, SAMPLE), widest }), pages)
  } finally {
    pages.close()
  }
}
