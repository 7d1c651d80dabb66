import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRenderer, type Renderer } from '../render.ts'

let folder: string
let renderer: Renderer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'set-index-'))
  renderer = openRenderer({ size: 1 })
})
afterAll(async () => {
  await renderer.close()
  await rm(folder, { recursive: true })
})

const row = (outline: string, name: string, more: object = {}) => ({
  kind: 'file',
  id: 7,
  outline,
  name,
  path: '/',
  file_size: '1048576',
  pages: 3,
  updated_at: '2026-11-25T23:30:00Z',
  ...more,
})
const FOLDER = { kind: 'folder', id: 4, file_size: null, pages: null, updated_at: null }

async function print(rows: object[], language: 'en' | 'de' = 'en') {
  const [source, target] = [join(folder, 'rows'), join(folder, `${rows.length}.pdf`)]
  await writeFile(source, rows.map((each) => `${JSON.stringify(each)}\n`).join(''))
  const workspace = { id: 5, name: 'Falcon' }
  const at = '2026-11-25T12:00:00Z'
  const task = { source, target, workspace, publicUrl: 'https://room.example', language, timeZone: 'Europe/Berlin', at }
  await renderer.setIndex(task)
  const pdf = { path: target, type: 'application/pdf' }
  const { length } = await renderer.boxes(pdf)
  const links = [...(await readFile(target, 'latin1')).matchAll(/\/URI\(([^)]*)\)/g)].map(([, address]) => address)
  return { texts: await renderer.text(pdf, length), links }
}

test('the rows are in the order of their numbers, with what is known of each, and open it', async () => {
  const { texts, links } = await print([row('2.10', 'Last'), row('2', 'Deals', FOLDER), row('2.9', 'Lease')])
  expect(texts).toHaveLength(1)
  const plain = texts[0]?.replaceAll(/[\s\u00a0]+/g, ' ')
  expect(plain).toContain('Index of Falcon 25 Nov 2026, 13:00 Number Name Type Size Pages Changed 2 Deals Folder 2.9')
  expect(plain).toContain('2.9 Lease File 1.05 MB 3 26 Nov 2026, 00:30 2.10 Last File')
  expect(links).toEqual(['4', '7/view', '7/view'].map((path) => `https://room.example/workspaces/5/files/${path}`))
})

test('it is in German where the reader is', async () => {
  const { texts } = await print([row('1', 'Verträge', FOLDER), row('1.1', 'Miete')], 'de')
  expect(texts[0]).toMatch(/Index von Falcon[^]*Nummer[^]*Größe[^]*Geändert[^]*Ordner[^]*Datei[^]*26\.11\.2026/)
})

test('names of every script are written, and can be found', async () => {
  const names = [
    '契約書',
    '임대차',
    'Договор',
    'الإيجار',
    'חוזה',
    'สัญญา',
    'अनुबंध',
    'Größe',
    'Σύμβαση',
    'Պայման',
    'հ<b>&(\\)',
  ]
  const { texts } = await print(names.map((name, at) => row(`1.${at + 1}`, name)))
  for (const name of names) expect(texts.join('').normalize('NFC')).toContain(name)
})

test('E3: odd and endless names neither end the file nor lose a row', async () => {
  const odd = [
    '\u0000\u001f',
    '\ud800',
    '\u202ea\u202cb',
    ' ',
    'x'.repeat(20_000),
    'a\nb',
    'a\u2028b',
    ') Tj ET (',
    '\u0301'.repeat(5000),
  ]
  const { texts, links } = await print([...odd.map((name, at) => row(`1.${at + 1}`, name)), row('2', 'End')])
  expect(texts.at(-1)).toContain('End')
  expect(new Set(links)).toEqual(new Set(['https://room.example/workspaces/5/files/7/view']))
})

test('each page has the header and its number', async () => {
  const { texts, links } = await print(Array.from({ length: 3000 }, (_, at) => row(`1.${at + 1}`, `File ${at + 1}`)))
  expect(texts.length).toBeGreaterThan(50)
  for (const [at, text] of texts.entries()) {
    expect(text).toContain('Changed')
    expect(text.trimEnd().endsWith(`\n${at + 1}`)).toBe(true)
  }
  expect(texts.at(-1)).toContain('File 3000')
  expect(links).toHaveLength(3000)
})
