import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import { searchWords } from '../../store/search/search-words.ts'
import { docx, odf, paragraph, xlsx } from '../../testing/documents/office-files.ts'
import { firstObject, packedPdf, samplePdf } from '../../testing/documents/sample-pdf.ts'
import { readDocuments } from '../../testing/jobs.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { ensureInstalled } from '../../testing/system-packages.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { isSandboxUsable } from '../convert/sandbox.ts'
import { openRenderer, type Renderer } from '../render.ts'

// A corpus of files of our own making, from upload to pages and search, with an independent reader of PDFs beside ours.

const PATIENCE = 300_000
const run = promisify(execFile)
const hasOffice = (await ensureInstalled('office', 'bubblewrap')) && (await isSandboxUsable())
const hasPoppler = await ensureInstalled('poppler')

interface Sample {
  name: string
  content: Buffer | string
  words: string[]
}

const TEXTS = {
  German: 'Mietvertrag über Größe und Straße',
  Chinese: '契約書第十七号',
  Arabic: 'عقد الإيجار لا يتجاوز الأولى',
  Hebrew: 'חוזה שכירות בין החברה',
  Russian: 'Договор аренды помещения',
  Thai: 'สัญญาเช่า',
}

const WRITERS: Record<string, (text: string) => string> = {
  txt: (text) => text,
  md: (text) => `# Title\n\n* **${text}**`,
  html: (text) => `<!doctype html><meta charset="utf-8"><p>${text}</p>`,
  csv: (text) => `Number,Text\n1,${text}`,
  json: (text) => JSON.stringify({ text }),
  eml: (text) => `Subject: Mail\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}`,
}

const texts = (): Sample[] =>
  Object.entries(TEXTS).flatMap(([language, text]) =>
    Object.entries(WRITERS).map(([extension, write]) => ({
      name: `${language}.${extension}`,
      content: write(text),
      words: searchWords(text),
    })),
  )

const line = (text: string) => `BT /F 14 Tf 120 300 Td 16 TL (${text.replaceAll('\n', ') Tj T* (')}) Tj ET`

function pdfs(): Sample[] {
  const field = firstObject(1)
  const form = {
    catalog: `/AcroForm<</Fields[${field} 0 R]/DA(/F 12 Tf)/DR<</Font<</F 3 0 R>>>>>>`,
    objects: ['<</Type/Annot/Subtype/Widget/F 4/FT/Tx/T(a)/V(Mortgagee)/DA(/F 12 Tf)/Rect[60 600 260 620]>>'],
  }
  return [
    { name: 'plain.pdf', content: samplePdf([{ content: line('Kingfisher lease') }]), words: ['kingfisher'] },
    { name: 'packed.pdf', content: packedPdf([{ content: line('Nightingale') }]), words: ['nightingale'] },
    {
      name: 'turned.pdf',
      content: samplePdf([{ content: line('Cormorant'), entries: '/Rotate 90' }]),
      words: ['cormorant'],
    },
    {
      name: 'cropped.pdf',
      content: samplePdf([{ content: line('Guillemot'), entries: '/CropBox[100 100 500 400]' }]),
      words: ['guillemot'],
    },
    { name: 'divided.pdf', content: samplePdf([{ content: line('the har-\nbour of') }]), words: ['harbour'] },
    { name: 'form.pdf', content: samplePdf([{ entries: `/Annots[${field} 0 R]` }], form), words: ['mortgagee'] },
    {
      name: 'long.pdf',
      content: samplePdf(Array.from({ length: 60 }, (_, at) => ({ content: line(`page sheet${at}`) }))),
      words: ['sheet59'],
    },
  ]
}

async function images(): Promise<Sample[]> {
  const picture = () => sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
  const formats = ['png', 'jpeg', 'webp', 'tiff', 'gif', 'avif'] as const
  const made = formats.map(async (format) => ({
    name: `picture.${format === 'jpeg' ? 'jpg' : format}`,
    content: await picture().toFormat(format).toBuffer(),
    words: [],
  }))
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40"><text y="20">Plover</text></svg>'
  return [...(await Promise.all(made)), { name: 'drawing.svg', content: svg, words: ['plover'] }]
}

const offices = (): Sample[] => [
  { name: 'letter.docx', content: docx(paragraph('Sandpiper')), words: ['sandpiper'] },
  { name: 'letter.odt', content: odf('text', '<text:p>Turnstone</text:p>'), words: ['turnstone'] },
  {
    name: 'table.ods',
    content: odf(
      'spreadsheet',
      '<table:table table:name="A"><table:table-row><table:table-cell office:value-type="string"><text:p>Whimbrel</text:p></table:table-cell></table:table-row></table:table>',
    ),
    words: ['whimbrel'],
  },
  {
    name: 'table.xlsx',
    content: xlsx([{ name: 'Costs', rows: '<row r="1"><c r="A1" t="s"><v>0</v></c></row>' }], ['<t>Dunlin</t>']),
    words: ['dunlin', 'costs'],
  },
]

let folder: string
let service: TestService
let world: World
let room: Room
let renderer: Renderer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'made-corpus-'))
  service = await startTestService()
  world = await createWorld(service)
  room = await createRoom(world)
  renderer = openRenderer({ size: 1 })
})
afterAll(async () => {
  await renderer.close()
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

test(
  'every file is shown, and found by each of its words',
  async () => {
    const samples = [...texts(), ...pdfs(), ...(await images()), ...(hasOffice ? offices() : [])]
    expect(samples.length).toBeGreaterThan(45)
    const into = await room.folder('Corpus')
    const ids: number[] = []
    for (const { name, content } of samples)
      ids.push((await room.upload(world.alice, into, name, Buffer.from(content))).id)
    await readDocuments(service)
    const inRoom = { workspace_id: room.workspace_id }
    const lost: string[] = []
    for (const [at, { name, words }] of samples.entries()) {
      const file = await world.alice.call(api.files.get, { params: { id: ids[at] ?? 0 }, query: inRoom })
      if (file.viewer_image.status !== 'Ready') lost.push(`${name} is ${file.viewer_image.status}`)
      for (const word of words) {
        const found = await world.alice.call(api.files.search, { query: { ...inRoom, q: `"${word}"`, per_page: 100 } })
        if (!found.some(({ id }) => id === ids[at])) lost.push(`${word} of ${name}`)
      }
    }
    expect(lost).toEqual([])
  },
  PATIENCE,
)

async function oursOf(path: string): Promise<Set<string>> {
  const pdf = { path, type: 'application/pdf' }
  const texts = await renderer.text(pdf, (await renderer.boxes(pdf)).length)
  return new Set(searchWords(texts.join('\n')))
}

test.skipIf(!hasPoppler)('our reader of PDFs finds the words that Poppler finds', async () => {
  const missing: string[] = []
  for (const { name, content } of pdfs()) {
    const [path, target] = [join(folder, name), join(folder, `${name}.txt`)]
    await writeFile(path, content)
    await run('/usr/bin/pdftotext', ['-enc', 'UTF-8', path, target])
    const theirs = searchWords((await readFile(target, 'utf8')).replaceAll(/-\n(?=\p{Ll})/gu, ''))
    const ours = await oursOf(path)
    expect(theirs.length).toBeGreaterThan(0)
    missing.push(...theirs.filter((word) => !ours.has(word)).map((word) => `${word} of ${name}`))
  }
  expect(missing).toEqual([])
})

test.each(Object.entries(TEXTS))('a page set in %s is read as it was written', async (language, text) => {
  const [source, target] = [join(folder, `${language}.txt`), join(folder, `${language}.pdf`)]
  await writeFile(source, text)
  await renderer.layOut({ source, type: 'text/plain', target })
  const ours = await oursOf(target)
  expect(searchWords(text).filter((word) => !ours.has(word))).toEqual([])
})
