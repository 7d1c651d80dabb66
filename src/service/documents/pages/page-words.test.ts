import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstObject, samplePdf } from '../../testing/documents/sample-pdf.ts'
import { openRenderer, type Renderer } from '../render.ts'
import { searchWords } from '../../store/search/search-words.ts'
import { finderOf } from './find-in-page.ts'

let folder: string
let renderer: Renderer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'page-words-'))
  renderer = openRenderer({ size: 1 })
})
afterAll(async () => {
  await renderer.close()
  await rm(folder, { recursive: true })
})

let serial = 0
async function read(path: string) {
  const source = { path, type: 'application/pdf' }
  const [text = ''] = await renderer.text(source, 1)
  const [page] = await renderer.words(source, { from: 1, count: 1 })
  if (!page) throw new Error('the page has no text')
  const find = (q: string) => finderOf({ q, each_word: false, match_case: false, whole_words: true })(page)
  return { text, page, find }
}

async function readPdf(...[pages, more]: Parameters<typeof samplePdf>) {
  const path = join(folder, `${++serial}.pdf`)
  await writeFile(path, samplePdf(pages, more))
  return read(path)
}

const linesOf = (...lines: string[]) =>
  `BT /F 14 Tf 60 700 Td 16 TL ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`

test('a word divided at the end of a line is one word, and a compound stays one', async () => {
  const content = linesOf('in the har-', 'bour of Anglo-', 'Saxon long-', 'term plans, long-term')
  const { text, find } = await readPdf([{ content }])
  expect(searchWords(text)).toEqual('in the harbour of anglo saxon long term plans long term'.split(' '))
  expect(find('harbour')[0]).toHaveLength(2)
  expect(find('Anglo-Saxon')[0]).toHaveLength(2)
})

test('letters that are drawn after their line, since its font lacks them, are read in their words', async () => {
  // "Møn", "chø" and "Øl" in Helvetica of 14 points, then "den" in the next line.
  const at = (x: number, y: number, text: string) => `1 0 0 1 ${x} ${y} Tm (${text}) Tj`
  const drawn = [at(60, 700, 'M'), at(80.216, 700, 'n ch'), at(130, 700, 'l am Meer'), at(60, 680, 'den')]
  const late = [at(71.662, 700, '\\371'), at(106.676, 700, '\\371'), at(119.108, 700, '\\351')]
  const content = `BT /F 14 Tf ${[...drawn.slice(0, 3), ...late, ...drawn.slice(3)].join(' ')} ET`
  const { text, page, find } = await readPdf([{ content }])
  expect(text.split(/\s+/)).toEqual('Møn chø Øl am Meer den'.split(' '))
  expect(page.text.split(/\s+/)).toEqual('Møn chø Øl am Meer den'.split(' '))
  expect(find('Møn')[0]).toHaveLength(1)
})

const first = firstObject(1)
const widget = (entries: string, [x, y] = [60, 600]) =>
  `<</Type/Annot/Subtype/Widget/F 4/DA(/F 12 Tf)/Rect[${x} ${y} ${Number(x) + 200} ${Number(y) + 20}]${entries}>>`
const formOf = (objects: string[]) => {
  const references = objects.map((_, at) => `${first + at} 0 R`).join(' ')
  const fonts = '/DA(/F 12 Tf)/DR<</Font<</F 3 0 R>>>>'
  return readPdf([{ entries: `/Annots[${references}]` }], {
    catalog: `/AcroForm<</Fields[${references}]${fonts}>>`,
    objects,
  })
}

test('what fields show is found, at their places; passwords and hidden fields are not', async () => {
  const { text, page, find } = await formOf([
    widget('/FT/Tx/T(a)/V(Mortgagee Jones)'),
    widget('/FT/Ch/Ff 131072/T(b)/V(x1)/Opt[[(x1)(Leasehold)][(x2)(Freehold)]]', [60, 500]),
    widget('/FT/Tx/Ff 8192/T(c)/V(password)'),
    widget('/FT/Tx/F 2/T(d)/V(hidden)').replace('/F 4', ''),
    '<</Type/Annot/Subtype/FreeText/Contents(Handed over)/Rect[60 400 260 420]/F 4>>',
    widget('/FT/Tx/T(e)/V(outside)', [5000, 600]),
  ])
  expect(text.split('\n').slice(1)).toEqual(['Mortgagee Jones', 'Leasehold', 'Handed over', 'outside'])
  expect(page.text.split('\n').slice(1)).toEqual(['Mortgagee Jones', 'Leasehold', 'Handed over'])
  expect(find('jones')).toEqual([[{ x: 161, y: 596, width: 539, height: 55 }]])
  expect(find('Handed over')[0]).toHaveLength(1)
  expect(find('lazy dog')[0]?.[0]?.y).toBe(346)
  for (const [, end] of page.words) expect(end).toBeLessThanOrEqual(page.text.length)
  expect([find('freehold'), find('password'), find('outside')]).toEqual([[], [], []])
})

test('E3: a form of many fields and options is read in part', async () => {
  const options = Array.from({ length: 30_000 }, (_, at) => `(option${at})`).join('')
  const choice = widget(`/FT/Ch/T(a)/V(option25000)/Opt[${options}]`)
  const { text } = await formOf([
    choice,
    ...Array.from({ length: 1200 }, (_, at) => widget(`/FT/Tx/T(f${at})/V(v${at})`)),
  ])
  expect(text).toContain('\noption25000\nv0\n')
  expect(text).toContain('v998')
  expect(text).not.toContain('v999')
})

test('Arabic ligatures and Hebrew, which pages hold in the order of their drawing, are read in theirs', async () => {
  const written = 'الإيجار السنوي لا يتجاوز الأولى والله السلام عليكم\nחוזה שכירות בין החברה לבין הקונה'
  await writeFile(join(folder, 'a.txt'), written)
  await renderer.layOut({ source: join(folder, 'a.txt'), type: 'text/plain', target: join(folder, 'set.pdf') })
  const { text, find } = await read(join(folder, 'set.pdf'))
  expect(searchWords(text).slice(0, -1).toSorted()).toEqual(searchWords(written).toSorted())
  for (const word of ['الإيجار', 'لا', 'السلام', 'שכירות']) expect(find(word)).toEqual([[expect.anything()]])
})
