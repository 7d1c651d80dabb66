import { unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { api } from '../../../../contract/index.ts'
import { fakeApi } from '../../../testing/fake-api.ts'
import { formatCsv } from './index-csv.ts'
import { readPdf } from './index-pdf.ts'
import { formatXlsx } from './index-xlsx.ts'
import { compareNumbers, readIndex } from './read-index.ts'

const row = (outline: string, name: string) => ({
  kind: outline.includes('.') ? ('file' as const) : ('folder' as const),
  id: 7,
  outline,
  name,
  path: '/',
  file_size: outline.includes('.') ? '2048' : null,
  pages: outline.includes('.') ? 3 : null,
  updated_at: null,
})
const HOSTILE = ['=1+1', '+cmd|x', "'=2", '<b>&"', 'a\u0000b\u001f', '_x0041_', 'x\ud800y', '</t></is></c>', '＝1']

async function linesOf(names: string[]) {
  fakeApi().on(
    api.workspaces.listIndex,
    names.map((name, at) => row(`1.${at + 1}`, name)),
  )
  return readIndex(5, new AbortController().signal)
}

async function sheetOf(names: string[]): Promise<[Document, Document]> {
  const book = await formatXlsx('Room', await linesOf(names))
  const parts = unzipSync(new Uint8Array(await book.arrayBuffer()))
  const xml = (name: string) => {
    const text = new TextDecoder().decode(parts[name])
    return new DOMParser().parseFromString(text, 'application/xml') as unknown as Document
  }
  return [xml('xl/worksheets/sheet1.xml'), xml('xl/worksheets/_rels/sheet1.xml.rels')]
}

it('lists the entries in the order of their numbers', async () => {
  fakeApi().on(api.workspaces.listIndex, [
    row('10', 'J'),
    row('2.10', 'C'),
    row('2', 'A'),
    row('2.9', 'B'),
    row('1', 'I'),
  ])
  expect((await readIndex(5, new AbortController().signal)).map(({ outline }) => outline)).toEqual([
    '1',
    '2',
    '2.9',
    '2.10',
    '10',
  ])
  expect([compareNumbers([1], [1, 1]), compareNumbers([1], [1])].map(Math.sign)).toEqual([-1, 0])
})

it('I5: no name becomes a formula, an element or a lost letter in a workbook', async () => {
  const [sheet, links] = await sheetOf(HOSTILE)
  expect(sheet.querySelectorAll('f, parsererror')).toHaveLength(0)
  const cells = [...sheet.querySelectorAll('row')].slice(1).map((each) => each.querySelectorAll('c')[1])
  expect(cells.map((cell) => cell?.getAttribute('t'))).toEqual(HOSTILE.map(() => 'inlineStr'))
  expect(cells.map((cell) => cell?.textContent)).toEqual([
    '=1+1',
    '+cmd|x',
    "'=2",
    '<b>&"',
    'a\ufffdb\ufffd',
    '_x005F_x0041_',
    'x\ufffdy',
    '</t></is></c>',
    '＝1',
  ])
  const targets = [...links.querySelectorAll('Relationship')].map((each) => each.getAttribute('Target'))
  expect(new Set(targets)).toEqual(new Set([`${window.location.origin}/workspaces/5/files/7/view`]))
  expect(targets).toHaveLength(HOSTILE.length)
})

it('I5: no name becomes a formula in a CSV', async () => {
  const text = formatCsv(await linesOf(['=1+1', 'x;=2']))
  expect(text).toContain("1.1,'=1+1,")
  expect(text).toContain("x;'=2")
})

it('joins the pieces of a PDF', async () => {
  const bytes = Uint8Array.from({ length: 300 }, (_, at) => at)
  const pieces = [bytes.slice(0, 150), bytes.slice(150)].map((each) => btoa(String.fromCharCode(...each)))
  fakeApi().on(api.workspaces.printIndex, pieces)
  const pdf = await readPdf(5, new AbortController().signal)
  expect([pdf.type, new Uint8Array(await pdf.arrayBuffer())]).toEqual(['application/pdf', bytes])
})
