import { createReadStream } from 'node:fs'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { type Block, type Cell, PORTRAIT, type Row, type Style } from './blocks.ts'
import { openPages } from './pages.ts'
import { setBlocks } from './set-blocks.ts'
import { blocksOfSheet } from './set-sheet.ts'
import { inOneLine, timesIn } from './times.ts'

type IndexRow = Reply<Api['workspaces']['listIndex']>[number]

export interface IndexTask {
  /** A file with the rows of the index, as JSON lines in any order. */
  source: string
  target: string
  workspace: { id: number; name: string }
  /** Where the dashboard is. */
  publicUrl: string
  language: 'en' | 'de'
  timeZone: string
  /** When the index was read. */
  at: string
}

const LABELS = {
  en: { title: 'Index of', columns: ['Number', 'Name', 'Type', 'Size', 'Pages', 'Changed'], types: ['Folder', 'File'] },
  de: {
    title: 'Index von',
    columns: ['Nummer', 'Name', 'Art', 'Größe', 'Seiten', 'Geändert'],
    types: ['Ordner', 'Datei'],
  },
} as const
/** About 80,000 rows. */
const MAX_INDEX_PAGES = 2000
/** Rows by which the widths of the columns are decided. */
const SAMPLE = 500
const PLAIN: Style = { look: 'regular' }

/** Sets the index of a workspace as a PDF, in the order of the numbers, with links that open each folder and file. */
export async function setIndex(task: IndexTask): Promise<void> {
  const rows = await readRows(task.source)
  const pages = openPages(task.target, PORTRAIT, MAX_INDEX_PAGES)
  try {
    setBlocks(blocksOf(task, rows), pages)
  } finally {
    pages.close()
  }
}

async function readRows(source: string): Promise<IndexRow[]> {
  const keyed: { row: IndexRow; numbers: number[] }[] = []
  let rest = ''
  for await (const chunk of createReadStream(source, 'utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const row = JSON.parse(line) as IndexRow
      keyed.push({ row, numbers: row.outline.split('.').map(Number) })
    }
  }
  return keyed.sort((a, b) => compareNumbers(a.numbers, b.numbers)).map(({ row }) => row)
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((each, place) => each !== b[place])
  return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1)
}

function blocksOf(task: IndexTask, rows: readonly IndexRow[]): Iterable<Block> {
  const { workspace, language } = task
  const { title, columns } = LABELS[language]
  const words = wordsOf(task)
  const cells = (row: IndexRow) => cellsOf(row, task, words)
  return blocksOfSheet({
    title: `${title} ${workspace.name}`,
    subtitle: words.time(task.at),
    headers: columns.map((text, at) => ({ ...isRight(at), spans: [{ text, style: { look: 'bold' } }] })),
    rows: cellsOfEach(rows, cells),
    sample: sampleOf(rows).map(cells),
    widest: 1,
  })
}

/** The first rows, and those with the longest numbers. */
function sampleOf(rows: readonly IndexRow[]): IndexRow[] {
  const byLength = rows.toSorted((a, b) => b.outline.length - a.outline.length)
  return [...rows.slice(0, SAMPLE), ...byLength.slice(0, SAMPLE)]
}

const isRight = (column: number) => ({ isRight: column === 3 || column === 4 })

function* cellsOfEach(rows: readonly IndexRow[], cells: (row: IndexRow) => Row): Generator<Row> {
  for (const row of rows) yield cells(row)
}

interface Words {
  time(at: string): string
  size(bytes: number): string
}

function wordsOf({ language, timeZone }: IndexTask): Words {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']
  const formats = units.map(
    (unit) =>
      new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumSignificantDigits: 3 }),
  )
  return {
    time: timesIn(language, timeZone),
    size(bytes) {
      const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
      return inOneLine(formats[power]?.format(bytes / 1000 ** power) ?? '')
    },
  }
}

function cellsOf(row: IndexRow, { workspace, publicUrl, language }: IndexTask, words: Words): Cell[] {
  const isFolder = row.kind === 'folder'
  const look = isFolder ? 'bold' : 'regular'
  const href = `${publicUrl}/workspaces/${workspace.id}/files/${row.id}${isFolder ? '' : '/view'}`
  const texts = [
    LABELS[language].types[isFolder ? 0 : 1],
    row.file_size === null ? '' : words.size(Number(row.file_size)),
    row.pages === null || row.pages === 0 ? '' : String(row.pages),
    row.updated_at === null ? '' : words.time(row.updated_at),
  ]
  return [
    { spans: [{ text: row.outline, style: { look } }] },
    { href, spans: [{ text: row.name, style: { look, color: 'link' } }] },
    ...texts.map((text, at) => ({ ...isRight(at + 2), spans: [{ text, style: PLAIN }] })),
  ]
}
