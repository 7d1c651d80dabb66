import { dsvFormat } from 'd3-dsv'
import { type Cell, LANDSCAPE, type PageForm, PORTRAIT, type Row, type TableBlock, textWidth } from './blocks.ts'
import type { Reading } from './read-text.ts'
import { comfortableWidth, MAX_COLUMNS } from './table-columns.ts'

const SAMPLE_ROWS = 400
const MAX_CELL = 10_000
/** Forms of the page and sizes of the text, best first. The last one is used for tables that must be split. */
const FORMS: [PageForm, number][] = [
  [PORTRAIT, 9],
  [LANDSCAPE, 9],
  [LANDSCAPE, 7.5],
]
const NUMBER = /^[-+(]?[€$£¥]?\s?\d[\d.,'’ \u00a0\u202f]{0,30}\s?[%€$£¥]?\)?$/

/** Reads values separated by commas, semicolons, tabs or bars. */
export function readTable(text: string): Reading {
  const rows = dsvFormat(separatorOf(text)).parseRows(text.replace(/^\ufeff/, ''))
  const sample = rows.slice(0, SAMPLE_ROWS)
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 1)
  const hasHeader = isHeader(sample)
  const isRight = Array.from({ length: Math.min(columns, MAX_COLUMNS) }, (_, column) =>
    isNumeric(sample.slice(hasHeader ? 1 : 0), column),
  )
  const toRow = (row: readonly string[], look: 'regular' | 'bold'): Row =>
    row.slice(0, MAX_COLUMNS).map((text, column): Cell => ({
      spans: [{ text: shown(text), style: STYLES[look] }],
      isRight: isRight[column] ?? false,
    }))
  const body = hasHeader ? rows.slice(1) : rows
  const table: TableBlock = {
    kind: 'table',
    columns,
    headers: hasHeader ? rows.slice(0, 1).map((row) => toRow(row, 'bold')) : [],
    sample: sample.slice(hasHeader ? 1 : 0).map((row) => toRow(row, 'regular')),
    rows: mapped(body, (row) => toRow(row, 'regular')),
    size: 9,
    mayBeSplit: true,
  }
  const [form, size] = formFor(table)
  return { form, blocks: [{ ...table, size }] }
}

const STYLES = { regular: { look: 'regular' }, bold: { look: 'bold' } } as const

/** Each element is made when it is taken, so that a long table is never in memory as cells. */
const mapped = <From, To>(list: readonly From[], to: (each: From) => To): Iterable<To> => ({
  *[Symbol.iterator]() {
    for (const each of list) yield to(each)
  },
})

function shown(text: string): string {
  const plain = text.replaceAll(/\r\n?/g, '\n').replaceAll('\t', ' ').trim()
  return plain.length > MAX_CELL ? `${plain.slice(0, MAX_CELL)} … (${plain.length} characters)` : plain
}

function formFor(table: TableBlock): [PageForm, number] {
  const last = FORMS.at(-1) ?? [LANDSCAPE, 7.5]
  return FORMS.find(([form, size]) => comfortableWidth({ ...table, size }) <= textWidth(form)) ?? last
}

/** The separator is the one most frequent in the first line. */
function separatorOf(text: string): string {
  const line = text.slice(0, 10_000).split('\n')[0] ?? ''
  const count = (separator: string) => line.split(separator).length
  return [',', ';', '\t', '|'].toSorted((a, b) => count(b) - count(a))[0] ?? ','
}

/** Whether the first row names the columns: it has neither numbers nor gaps. */
function isHeader([first = [], second]: readonly string[][]): boolean {
  return (
    second !== undefined && first.length > 1 && first.every((cell) => cell.trim() !== '' && !NUMBER.test(cell.trim()))
  )
}

function isNumeric(sample: readonly string[][], column: number): boolean {
  const filled = sample.map((row) => row[column]?.trim() ?? '').filter((cell) => cell !== '')
  return filled.length > 0 && filled.filter((cell) => NUMBER.test(cell)).length > filled.length * 0.8
}
