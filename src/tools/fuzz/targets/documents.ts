import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import sharp from 'sharp'
import { createConverter } from '../../../service/documents/convert/convert.ts'
import { detectType } from '../../../service/documents/upload/detect-type.ts'
import { createEntryNamer } from '../../../service/documents/zip/entry-names.ts'
import { DocumentFault, openRenderer, type Renderer } from '../../../service/documents/render.ts'
import { MAX_TEXT_LENGTH } from '../../../service/documents/text/keepable.ts'
import { measureZip, writeZip, type ZipEntry } from '../../../service/documents/zip/zip.ts'
import { snippetOf } from '../../../service/store/search/snippet.ts'
import { bitmapFile } from '../../../service/testing/documents/bitmap-file.ts'
import { docx, lockedFiles, odf, paragraph, xlsx, zipOf } from '../../../service/testing/documents/office-files.ts'
import { outlookFile } from '../../../service/testing/documents/outlook-file.ts'
import { memberOf } from '../../../service/testing/documents/read-zip.ts'
import { samplePdf } from '../../../service/testing/documents/sample-pdf.ts'
import { hostileText } from '../inputs.ts'
import { target } from '../target.ts'

/** Fuzzes uploaded documents and the files made from them. */

const OOXML = 'application/vnd.openxmlformats-officedocument'
const DOCX = `${OOXML}.wordprocessingml.document`
const XLSX = `${OOXML}.spreadsheetml.sheet`
const PPTX = `${OOXML}.presentationml.presentation`
const ODT = 'application/vnd.oasis.opendocument.text'

const cell = '<row><c t="inlineStr"><is><t>Cell</t></is></c></row>'
const slide = '<p:sld><a:p><a:r><a:t>Slide</a:t></a:r></a:p></p:sld>'
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><defs><filter id="f"><feGaussianBlur stdDeviation="2"/></filter><g id="g"><rect width="9" height="9" filter="url(#f)"/></g></defs><use href="#g"/><text y="9">x</text></svg>`
const image = sharp({ create: { width: 40, height: 30, channels: 3, background: '#f80' } })

/** One valid file of each type. */
const CORPUS: Record<string, () => Buffer | string | Promise<Buffer>> = {
  'application/pdf': () => samplePdf([{ content: '0 0 9 9 re f' }, {}]),
  'image/png': () => image.clone().png().toBuffer(),
  'image/jpeg': () => image.clone().jpeg().toBuffer(),
  'image/tiff': () => image.clone().tiff().toBuffer(),
  'image/bmp': () => bitmapFile(8, { runs: '0102010300000100010101000001' }),
  'image/svg+xml': () => svg,
  [DOCX]: () => docx(paragraph('Text')),
  [XLSX]: () => xlsx([{ name: 'A', rows: cell }]),
  [PPTX]: () => zipOf({ 'ppt/slides/slide1.xml': slide, 'ppt/presentation.xml': '<p:presentation/>' }),
  [ODT]: () => odf('text', '<text:p>Text</text:p>'),
  'text/markdown': () => '# a\n\n- b\n  1. *c* `d`\n\n> e\n\n| f | g |\n|---|--:|\n| \u05d0 | h |\n\n```\ni\n```\n',
  'application/json': () => '{"a": [1.50, "\u202eb"]}',
  'text/csv': () => 'Name;Price\n"a;b";=1+1\n',
  'text/html': () => '<meta charset=utf-8><table><tr><td>a<table><tr><td>b</table></table><style>p{}</style><p>&amp;c',
  'application/msword': () => lockedFiles().doc,
  'application/vnd.ms-excel': () => lockedFiles().xls,
  'application/vnd.ms-powerpoint': () => lockedFiles().ppt,
  'multipart/related': () =>
    'Subject: x\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Hello\r\n--b--\r\n',
  'message/rfc822': () =>
    'Subject: =?utf-8?q?x?=\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nHello\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: y\r\n\r\nInner\r\n--b--\r\n',
  'application/vnd.ms-outlook': () =>
    outlookFile({
      subject: 'x',
      html: '<p>y</p>',
      recipients: [{ name: 'a', email: 'a@b.c', type: 'to' }],
      attachments: [{ name: 'a.pdf', content: Buffer.alloc(5000) }],
    }),
}
const MESSAGES = ['message/rfc822', 'application/vnd.ms-outlook', 'multipart/related']
const LAID_OUT = [...MESSAGES, 'text/markdown', 'application/json', 'text/csv', 'text/html']
const DRAWN = ['application/pdf', 'image/png', 'image/jpeg', 'image/tiff', 'image/svg+xml', 'image/bmp']
const BINARY = Object.keys(CORPUS).filter((type) => /ms-excel|ms-powerpoint|msword/.test(type))
const CONVERTED = Object.keys(CORPUS).filter((type) => !DRAWN.includes(type) && !LAID_OUT.includes(type))

/** A change somewhere in a file: bytes overwritten, removed or inserted, a part repeated, or the end cut off. */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  how: fc.constantFrom('overwrite', 'remove', 'insert', 'repeat', 'cut'),
  bytes: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 8 }),
    hostileText(40).map((text) => Buffer.from(text)),
    fc
      .constantFrom('999999999', '-1', '00000000', '\xff\xff\xff\xff', '<'.repeat(2000))
      .map((text) => Buffer.from(text, 'latin1')),
  ),
  times: fc.integer({ min: 1, max: 300 }),
})
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never

function mutate(file: Buffer, changes: readonly Change[]): Buffer {
  return changes.reduce((before, { at, how, bytes, times }) => {
    const place = Math.floor(at * before.length)
    const [head, tail] = [before.subarray(0, place), before.subarray(place)]
    if (how === 'cut') return head
    if (how === 'remove') return Buffer.concat([head, tail.subarray(times)])
    if (how === 'insert') return Buffer.concat([head, bytes, tail])
    if (how === 'overwrite') return Buffer.concat([head, bytes, tail.subarray(bytes.length)])
    const part = tail.subarray(0, 200)
    return Buffer.concat([head, ...Array.from({ length: times }, () => part), tail])
  }, file)
}

const mutated = (types: readonly string[]) =>
  fc.record({ type: fc.constantFrom(...types), changes: fc.array(change, { maxLength: 4 }) })

let opened: Renderer | undefined
/** The renderer ends its processes when they are idle. */
const renderer = () => (opened ??= openRenderer({ size: 1, cpuMs: 4000 }))

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'strongroom-fuzz-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Ignores a DocumentFault: a fuzzed file may be invalid. @throws any other error */
async function orFault(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof DocumentFault)) throw error
  })
}

async function withFile(
  type: string,
  changes: readonly Change[],
  use: (path: string, folder: string) => Promise<unknown>,
) {
  const file = Buffer.from((await CORPUS[type]?.()) ?? '')
  await inFolder(async (folder) => {
    const path = join(folder, 'upload')
    await writeFile(path, mutate(file, changes))
    await orFault(use(path, folder))
  })
}

async function drawFirst(source: { path: string; type: string }): Promise<void> {
  const boxes = await renderer().boxes(source)
  if (boxes.length === 0) throw new Error('no pages, and no reason')
  const { width, height } = await renderer().page(source, 1)
  if (!(width > 0 && height > 0)) throw new Error(`a page of ${width} × ${height}`)
}

/** Well-formed names only: the contract refuses lone surrogates. */
const entryName = fc
  .oneof(
    hostileText(300),
    hostileText(12),
    fc.constantFrom('../../x', '/etc/x', 'a\\..\\b', 'C:\\x', 'CON', '.', '-x', 'é', 'e\u0301'),
  )
  .map((name) => name.toWellFormed())
const run = promisify(execFile)
const LIST =
  'import json, sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(json.dumps([z.testzip(), z.namelist()]))'

export default [
  target({
    name: 'zip writer',
    shortRun: 4,
    input: fc.array(
      fc.record({
        name: entryName,
        directories: fc.array(entryName, { maxLength: 3 }),
        isFolder: fc.boolean(),
        size: fc.nat(70_000),
      }),
      { maxLength: 60 },
    ),
    attempt: (members) =>
      inFolder(async (folder) => {
        const nameOf = createEntryNamer('MANIFEST.csv')
        const contents = new Map<ZipEntry, Buffer>()
        members.forEach(({ name, directories, isFolder, size }, at) => {
          // Like the store, put a number in front that keeps the names in one folder distinct.
          const outlined = directories.map((each, depth) => `${depth + 1} ${each}`)
          const entry = nameOf({
            file_id: isFolder ? null : at,
            directories: outlined,
            name: outlined.length > 0 ? `${at} ${name}` : name,
          })
          const bytes = Buffer.alloc(isFolder ? 0 : size, at)
          contents.set(
            { name: entry, size: bytes.length, crc32: crc32(bytes), modified: new Date(at * 86_400_000) },
            bytes,
          )
        })
        async function* entries() {
          yield* contents.keys()
        }
        const open = (entry: ZipEntry, { start }: { start: number }) =>
          memberOf(contents.get(entry) ?? Buffer.alloc(0), start)
        const [path, out] = [join(folder, 'a.zip'), join(folder, 'out')]
        const size = await measureZip(entries)
        const zip: Buffer[] = []
        for await (const chunk of writeZip({ entries, open }, { start: 0, end: size - 1 })) zip.push(Buffer.from(chunk))
        await writeFile(path, zip)
        const { stdout } = await run('python3', ['-c', LIST, path], { maxBuffer: 64 * 1024 ** 2 })
        const [damaged, names] = JSON.parse(stdout) as [string | null, string[]]
        const written = [...contents.keys()].map((entry) => entry.name)
        if (damaged !== null || JSON.stringify(names) !== JSON.stringify(written))
          throw new Error(`Python reads other names: ${names.join()}`)
        // Info-ZIP exits with 1 for an empty zip.
        if (written.length > 0) await run('unzip', ['-tqq', path]).catch(ignoreAbsent)
        await run('7z', ['t', '-bso0', '-bsp0', path]).catch(ignoreAbsent)
        await run('python3', ['-m', 'zipfile', '-e', path, out])
        if ((await readdir(folder)).some((name) => !['a.zip', 'out'].includes(name)))
          throw new Error('An entry left the folder.')
      }),
  }),
  target({
    name: 'type detection',
    inProcess: true,
    input: fc.record({
      type: fc.constantFrom(...Object.keys(CORPUS)),
      changes: fc.array(change, { maxLength: 3 }),
      text: fc.option(hostileText(4096)),
      name: hostileText(255),
    }),
    attempt: async ({ type, changes, text, name }) => {
      const file = text === null ? mutate(Buffer.from((await CORPUS[type]?.()) ?? ''), changes) : Buffer.from(text)
      const found = await detectType(file.subarray(0, 4096), name)
      if (!/^[\w.+-]+\/[\w.+-]+$/.test(found)) throw new Error(`${found} is no type`)
    },
  }),
  target({
    name: 'snippets',
    inProcess: true,
    input: fc.record({ text: hostileText(8000), word: hostileText(20) }),
    attempt: async ({ text, word }) => {
      const snippet = snippetOf(text, ['% a %', `% ${word}%`])
      if (snippet && snippet.text.length > 10_000) throw new Error(`a snippet of ${snippet.text.length} characters`)
    },
  }),
  target({
    name: 'markup readers',
    shortRun: 40,
    input: fc.record({
      type: fc.constantFrom('text/html', 'message/rfc822', 'image/svg+xml', 'text/csv', DOCX, XLSX, PPTX, ODT),
      text: hostileText(200_000),
    }),
    attempt: ({ type, text }) =>
      inFolder(async (folder) => {
        const path = join(folder, 'upload')
        const parts: Record<string, () => Buffer> = {
          [DOCX]: () => zipOf({ 'word/document.xml': `<w:document><w:p><w:r><w:t>${text}` }),
          [XLSX]: () => xlsx([{ name: 'A', rows: text }]),
          [PPTX]: () => zipOf({ 'ppt/slides/slide1.xml': text }),
          [ODT]: () => odf('text', text),
        }
        await writeFile(path, parts[type]?.() ?? text.toWellFormed())
        await orFault(expectText(path, type))
      }),
  }),
  target({
    name: 'office containers',
    shortRun: 30,
    input: mutated([DOCX, XLSX, PPTX, ODT]),
    attempt: ({ type, changes }) => withFile(type, changes, (path) => expectText(path, type)),
  }),
  target({
    name: 'texts, tables, pages and messages',
    shortRun: 30,
    input: mutated(LAID_OUT),
    attempt: ({ type, changes }) =>
      withFile(type, changes, async (path, folder) => {
        await expectText(path, type)
        await orFault(renderer().layOut({ source: path, type, target: join(folder, 'pages.pdf') }))
      }),
  }),
  target({
    name: 'pages of damaged files',
    shortRun: 40,
    input: mutated(DRAWN),
    attempt: ({ type, changes }) =>
      withFile(type, changes, async (path, folder) => {
        const draw = type === 'image/svg+xml' ? 'drawSvg' : type === 'image/bmp' ? 'drawBitmap' : undefined
        if (draw === undefined) return drawFirst({ path, type })
        const png = join(folder, 'page.png')
        await renderer()[draw]({ source: path, target: png })
        return drawFirst({ path: png, type: 'image/png' })
      }),
  }),
  target({
    name: 'passwords of older office files',
    shortRun: 40,
    input: mutated(BINARY),
    attempt: ({ type, changes }) =>
      withFile(type, changes, async (path, folder) => {
        await renderer().prepareForOffice({ path, type }, folder)
      }),
  }),
  target({
    name: 'converters',
    shortRun: 3,
    input: mutated(CONVERTED),
    attempt: ({ type, changes }) =>
      withFile(type, changes, async (path, folder) => {
        const converter = createConverter({ sandboxing: 'bubblewrap', renderer: renderer(), cpuSeconds: 10 })
        // Without LibreOffice there is nothing to test.
        if ((await converter.obstacle(type)) !== undefined) return
        const { path: pdf, content_type } = await converter.convert(path, type, join(folder, 'out'))
        await drawFirst({ path: pdf, type: content_type })
      }),
  }),
]

async function expectText(path: string, type: string): Promise<void> {
  const text = await renderer().extractText({ path, type })
  if (text === undefined || text.length > MAX_TEXT_LENGTH) throw new Error(`a text of ${text?.length} characters`)
}

function ignoreAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
