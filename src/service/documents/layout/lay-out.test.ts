import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outlookFile } from '../../testing/documents/outlook-file.ts'
import { MAX_SET_PAGES } from '../render/limits.ts'
import { openRenderer } from '../render.ts'

const TYPES = {
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  xml: 'application/xml',
  html: 'text/html',
  eml: 'message/rfc822',
  msg: 'application/vnd.ms-outlook',
}
type Kind = keyof typeof TYPES

let folder: string
let count = 0
const renderer = openRenderer({ size: 1 })
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'layout-'))
})
afterAll(async () => {
  await renderer.close()
  await rm(folder, { recursive: true, force: true })
})

/** Returns the text and the size of each page. */
async function laidOut(kind: Kind, content: Buffer | string) {
  // The renderer keeps the document of a path open.
  const [source, target] = [join(folder, `source.${kind}`), join(folder, `${count++}.pdf`)]
  await writeFile(source, content)
  await renderer.layOut({ source, type: TYPES[kind], target })
  const pdf = { path: target, type: 'application/pdf' }
  const boxes = await renderer.boxes(pdf)
  return { boxes, texts: await renderer.text(pdf, boxes.length) }
}

describe('pages of our own', () => {
  test.each<[Kind, Buffer | string, string[]]>([
    ['txt', Buffer.from('Gr\xf6\xdfe\r\nline', 'latin1'), ['Größe', 'line']],
    ['txt', 'Größe 契約書 한국어 ไทย Ελλάδα Україна ☑ → 😀', ['Größe 契約書 한국어 ไทย Ελλάδα Україна ☑ → 😀']],
    ['txt', '2026-11-24 08:00 INFO  a\t│ b ║', ['2026-11-24 08:00 INFO  a     │ b ║']],
    [
      'md',
      '# Größe\n\n- one\n- **two**\n\n3. three\n\n[link](http://a.example)',
      ['Größe', '• one', '• two', '3. three', 'link'],
    ],
    ['md', '| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nx < y\n```\n\n![plan](a.png)', ['a b', '1 2', 'x < y', '[plan]']],
    ['csv', 'Name;Größe\nA, B;1\n', ['Name Größe', 'A, B 1']],
    ['tsv', 'a\t"b\nc"\n', ['a b', 'c']],
    ['json', '{"a": 1.0,\n "b": 12345678901234567890}', ['{"a": 1.0,', '"b": 12345678901234567890}']],
    ['xml', '<?xml version="1.0" encoding="iso-8859-1"?><a>x</a>', ['<a>x</a>']],
    [
      'html',
      '<meta charset=utf-8><h1>Größe &euro;</h1><ul><li>a<li>b</ul><pre>c  d</pre>',
      ['Größe €', '• a', '• b', 'c  d'],
    ],
    ['eml', 'From: a@example.com\r\nSubject: Größe\r\n\r\nHello', ['Größe', 'From a@example.com', 'Hello']],
    ['msg', outlookFile({ subject: 'Offer', html: '<p>Größe</p>' }), ['Offer', 'Größe']],
    ['txt', '', ['1']],
  ])('show the text of %s', async (kind, content, expected) => {
    const { texts } = await laidOut(kind, content)
    for (const line of expected) expect(texts[0]?.replaceAll(/\s+/g, ' ')).toContain(line.replaceAll(/\s+/g, ' '))
  })

  test('show text from right to left in the order in which it is read', async () => {
    const { texts } = await laidOut('txt', 'הסכם בין Harbour לבין הקונה\n')
    expect(texts[0]).toContain('הסכם')
    expect(texts[0]).toContain('Harbour')
  })

  test('break long lines, and lose none of their characters', async () => {
    const words = Array.from({ length: 3000 }, (_, index) => `word${index}`)
    const { texts } = await laidOut('txt', words.join(' '))
    expect(texts.join(' ').match(/word\d+/g)).toEqual(words)
    const url = `https://example.com/${'abcdefghij'.repeat(400)}`
    expect((await laidOut('txt', url)).texts.join('').replaceAll(/\s/g, '')).toContain(url)
  })

  test('repeat the header of a table on each page, and set numbers beside it', async () => {
    const rows = Array.from({ length: 150 }, (_, index) => `Item ${index},${index * 7}`)
    const { texts } = await laidOut('csv', ['Title,Amount', ...rows].join('\n'))
    expect(texts.length).toBeGreaterThan(2)
    for (const text of texts) expect(text).toMatch(/^Title Amount/)
    expect(texts.join('\n').match(/Item \d+/g)).toHaveLength(150)
  })

  test('put the columns of a wide table on several pages, each named, with the first column on each', async () => {
    const row = (name: string) => Array.from({ length: 40 }, (_, index) => `${name} number ${index}`).join(',')
    const { texts, boxes } = await laidOut('csv', [row('column'), row('first'), row('second')].join('\n'))
    expect(boxes[0]?.width).toBeGreaterThan(boxes[0]?.height ?? 0)
    expect(texts[0]).toMatch(/^Columns 1–\d+ of 40/)
    expect(texts.at(-1)).toMatch(/^Columns \d+–40 of 40/)
    for (const text of texts) expect(text).toContain('first number 0')
    const all = texts.join('\n').replaceAll(/\s+/g, ' ')
    for (let index = 1; index < 40; index++) expect(all).toContain(`second number ${index}`)
  })

  test('continue a row that is higher than a page', async () => {
    const cell = Array.from({ length: 1500 }, (_, index) => `w${index}`).join(' ')
    const { texts } = await laidOut('csv', `a,b\n"${cell}","${cell}"\nlast,1\n`)
    expect(texts.length).toBeGreaterThan(1)
    expect(texts.join(' ').match(/w\d+/g)).toHaveLength(3000)
    expect(texts.at(-1)).toContain('last')
  })
})

describe('hostile text', () => {
  test('K2: of a million lines has the stated number of pages, and says that there is more', async () => {
    const lines = Array.from({ length: 1_000_000 }, (_, index) => `line ${index}`)
    const { boxes, texts } = await laidOut('txt', lines.join('\n'))
    expect(boxes).toHaveLength(MAX_SET_PAGES)
    expect(texts.at(-1)).toContain(`Only the first ${MAX_SET_PAGES} pages are shown here. There is more.`)
    expect(texts.at(-2)).not.toContain('has more')
  })

  test.each<[string, Kind, string]>([
    ['one line without spaces', 'txt', 'x'.repeat(3_000_000)],
    ['empty lines', 'txt', '\n'.repeat(1_000_000)],
    ['combining marks', 'txt', `a${'\u0301'.repeat(300_000)}`],
    ['changes of direction', 'txt', '\u202e\u202da\u05d0'.repeat(100_000)],
    ['quotes in Markdown', 'md', '>'.repeat(100_000)],
    ['emphasis in Markdown', 'md', 'a**b'.repeat(100_000)],
    ['brackets in Markdown', 'md', '['.repeat(100_000)],
    ['cells in Markdown', 'md', `${'|a'.repeat(3000)}\n${'|-'.repeat(3000)}\n${'|b\n'.repeat(2000)}`],
    ['columns', 'csv', `${','.repeat(20_000)}\n`.repeat(100)],
    ['an open quotation mark', 'csv', `"${'a,b\n'.repeat(500_000)}`],
    ['tables in tables', 'html', '<table><tr><td>a<td>'.repeat(50_000)],
    ['lists in lists', 'html', '<ul><li>'.repeat(50_000)],
    ['columns of one cell', 'html', '<table><tr><td colspan=99>a<td colspan=99>b<tr><td>c</table>'.repeat(2000)],
  ])('K2: of many %s is set within the limits of a process', async (_, kind, content) => {
    const { boxes } = await laidOut(kind, content)
    expect(boxes.length).toBeGreaterThan(0)
    expect(boxes.length).toBeLessThanOrEqual(MAX_SET_PAGES)
  })

  test('G1: that is markup is shown as text', async () => {
    const { texts } = await laidOut('csv', '<img src=x onerror=alert(1)>,<b>\n=WEBSERVICE("http://a.example"),1\n')
    expect(texts[0]).toContain('<img src=x onerror=alert(1)>')
    expect(texts[0]).toContain('=WEBSERVICE("http://a.example")')
  })
})
