import { csvFormatRows } from 'd3-dsv'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvCell, plainCell } from './csv-cell.ts'

const FORMULA = /^[\s\u200b-\u200d\u2060\ufeff"]*[=+\-@＝＋－＠]/u

/** Returns every cell that a spreadsheet may find in a line with this text in the middle, with any separator. */
function cellsWith(text: string): string[] {
  const csv = csvFormatRows([['1', csvCell(text), 'yes']])
  return [...[',', ';', '\t'].flatMap((separator) => readLeniently(csv, separator)), ...csv.split(/[;\t\r\n]/)]
}

/** Parses like a spreadsheet: a quotation mark counts only at the start of a cell, and text may follow its end. */
function readLeniently(csv: string, separator: string): string[] {
  const cell = new RegExp(`("(?:[^"]|"")*(?:"|$))?([^${separator}\r\n]*)(?:[${separator}\r\n]|$)`, 'gy')
  return [...csv.matchAll(cell)].map(
    ([, quoted = '', rest = '']) => quoted.replace(/^"|"$/g, '').replaceAll('""', '"') + rest,
  )
}

test.each([
  '=1+1',
  '+1',
  "-2+3+cmd|' /C calc'!A0",
  '@SUM(1)',
  '＝1+1',
  '\t=1+1',
  '\r\n=1+1',
  ' =1+1',
  '\u00a0=1+1',
  '\ufeff=1+1',
  "'=1+1",
  '"=1+1',
  'x;=1+1',
  'x; =1+1;y',
  'x\t=HYPERLINK("http://evil.test")',
  'x\n=1+1',
  'a";=1+1;"b',
  ';;;=1+1',
])('I5: %j is not a formula in a spreadsheet', (text) => {
  expect(cellsWith(text).filter((cell) => FORMULA.test(cell))).toEqual([])
  expect(plainCell(csvCell(text))).toBe(text)
})

test('I5: any text survives a round trip, and none of it is a formula', () => {
  const text = fc.string({ unit: fc.constantFrom(...'=+-@;,\t\r\n"\' ab1|＝\u200b\ufeff') })
  fc.assert(
    fc.property(text, (each) => {
      expect(plainCell(csvCell(each))).toBe(each)
      expect(cellsWith(each).filter((cell) => FORMULA.test(cell))).toEqual([])
    }),
    { numRuns: 5000 },
  )
})

test.each(['Tax, 2025', 'A-B', 'a = b', '1 + 1', 'Smith; Jones', "O'Neill", 'x@y.example'])(
  '%j is unchanged',
  (text) => {
    expect(csvCell(text)).toBe(text)
  },
)

test('numbers stay numbers', () => {
  expect(csvCell(-5)).toBe('-5')
})
