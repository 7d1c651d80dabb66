import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  docx,
  linkedPicture,
  lockedFiles,
  odf,
  pagesFile,
  paragraph,
  visio,
  xlsx,
  zipOf,
} from '../../testing/documents/office-files.ts'
import { outlookFile } from '../../testing/documents/outlook-file.ts'
import { ensureInstalled } from '../../testing/system-packages.ts'
import { createConverter } from './convert.ts'
import { DocumentFault, openRenderer } from '../render.ts'
import { isSandboxUsable, runTool } from './sandbox.ts'

const isInstalled = await ensureInstalled('office', 'bubblewrap', 'heif')
const isUsable = isInstalled && (await isSandboxUsable())
if (isInstalled && !isUsable) console.error('TESTS ARE LEFT OUT, for bubblewrap may not run here')

const OOXML = 'application/vnd.openxmlformats-officedocument'
const TYPES = {
  docx: `${OOXML}.wordprocessingml.document`,
  docm: 'application/vnd.ms-word.document.macroenabled.12',
  xlsx: `${OOXML}.spreadsheetml.sheet`,
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  rtf: 'application/rtf',
  csv: 'text/csv',
  html: 'text/html',
  eml: 'message/rfc822',
  msg: 'application/vnd.ms-outlook',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  fodt: 'application/vnd.oasis.opendocument.text-flat-xml',
  vsdx: 'application/vnd.ms-visio.drawing',
  mhtml: 'multipart/related',
  pages: 'application/vnd.apple.pages',
}
type Kind = keyof typeof TYPES

/** Time limit in milliseconds, for many conversions on a busy machine. */
const PATIENCE = 120_000

let folder: string
const renderer = openRenderer({ size: 1 })
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convert-'))
})
afterAll(async () => {
  await renderer.close()
  await rm(folder, { recursive: true, force: true })
})

async function convert(
  kind: Kind,
  content: Buffer | string,
  options: { timeLimitMs?: number; cpuSeconds?: number; signal?: AbortSignal } = {},
) {
  const outDir = await mkdtemp(join(folder, 'out-'))
  const source = `${outDir}-source`
  await writeFile(source, content)
  const { signal, ...limits } = options
  const converting = createConverter({ sandboxing: 'bubblewrap', renderer, ...limits }).convert(
    source,
    TYPES[kind],
    outDir,
    signal,
  )
  return { outDir, converted: await converting.catch((error: unknown) => error as Error) }
}

/** Converts a document, and returns the text on its pages. */
async function printed(kind: Kind, content: Buffer | string): Promise<string> {
  const { converted } = await convert(kind, content)
  if (converted instanceof Error) throw converted
  const source = { path: converted.path, type: converted.content_type }
  const pages = await renderer.boxes(source)
  return (await renderer.text(source, pages.length)).join('\n')
}

describe.skipIf(!isUsable)('a document is converted', () => {
  test.each<[Kind, Buffer | string, string]>([
    ['docx', docx(paragraph('Größe 契約 عقد')), 'Größe 契約'],
    ['docm', docx(paragraph('With macros')), 'With macros'],
    ['xlsx', xlsx([{ name: 'A', rows: '<row><c t="inlineStr"><is><t>Cell</t></is></c></row>' }]), 'Cell'],
    ['odt', odf('text', '<text:p>Open</text:p>'), 'Open'],
    ['rtf', '{\\rtf1\\ansi Rich \\b text\\b0}', 'Rich text'],
    ['vsdx', visio('Größe'), 'Größe'],
    [
      'fodt',
      `<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text><text:p>Flat</text:p></office:text></office:body></office:document>`,
      'Flat',
    ],
    ['pages', pagesFile('Größe 契約'), 'Größe 契約'],
  ])('to a PDF from %s', async (kind, content, text) => expect(await printed(kind, content)).toContain(text))

  test.each(Object.entries(lockedFiles()))('F6: unless it is a %s that needs a password', async (kind, content) => {
    const { converted } = await convert(kind as keyof ReturnType<typeof lockedFiles>, content)
    expect(converted).toMatchObject({ message: 'The document is protected by a password.' })
  })

  test('to an image from HEIC', async () => {
    const [png, heic] = [join(folder, 'red.png'), join(folder, 'red.heic')]
    await sharp({ create: { width: 320, height: 200, channels: 3, background: '#f00' } }).toFile(png)
    await promisify(execFile)('heif-enc', [png, '-o', heic])
    const converter = createConverter({ sandboxing: 'bubblewrap', renderer })
    const outDir = await mkdtemp(join(folder, 'out-'))
    const { path, content_type } = await converter.convert(heic, 'image/heic', outDir)
    const { format, width, height } = await sharp(path).metadata()
    expect({ content_type, format, width, height }).toEqual({
      content_type: 'image/jpeg',
      format: 'jpeg',
      width: 320,
      height: 200,
    })
    await writeFile(heic, 'no image at all')
    await expect(converter.convert(heic, 'image/heic', outDir)).rejects.toBeInstanceOf(DocumentFault)
  })
})

describe.skipIf(!isUsable)('a hostile document', () => {
  let listener: Server
  let connections = 0
  let url: string
  let secret: string
  beforeAll(async () => {
    listener = createServer((socket) => {
      connections++
      socket.destroy()
    }).listen(0, '0.0.0.0')
    await once(listener, 'listening')
    url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
    secret = join(folder, 'secret.txt')
    await writeFile(secret, 'TOPSECRET')
  })
  afterAll(() => void listener.close())

  /** Documents that refer to `at`, by every means that these formats have. */
  const reaching = (at: string): [string, Kind, Buffer | string][] => [
    [
      'linked picture and template',
      'docx',
      docx(paragraph('x') + linkedPicture('p1'), [{ id: 'p1', type: 'image', target: `${at}/a.png`, external: true }], {
        'word/settings.xml': `<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:attachedTemplate r:id="t1"/></w:settings>`,
        'word/_rels/settings.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="t1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate" Target="${at}/t.dotm" TargetMode="External"/></Relationships>`,
      }),
    ],
    [
      'included text',
      'docx',
      docx(
        `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>INCLUDETEXT "${at}"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>${paragraph('x')}`,
      ),
    ],
    [
      'linked section and picture',
      'odt',
      odf(
        'text',
        `<text:section text:name="s"><text:section-source xlink:href="${at}" xlink:type="simple"/><text:p>x</text:p></text:section><text:p><draw:frame><draw:image xlink:href="${at}/a.png" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame><draw:frame><draw:object xlink:href="${at}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p>`,
      ),
    ],
    ['web service', 'xlsx', xlsx([{ name: 'A', rows: `<row><c><f>WEBSERVICE("${at}")</f></c><c><v>1</v></c></row>` }])],
    [
      'linked table',
      'ods',
      odf(
        'spreadsheet',
        `<table:table table:name="A"><table:table-source xlink:href="${at}" xlink:type="simple"/><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>`,
      ),
    ],
    ['picture field', 'rtf', `{\\rtf1 {\\field{\\*\\fldinst INCLUDEPICTURE "${at}/a.png"}{\\fldrslt x}} x}`],
    [
      'remote content',
      'eml',
      `Content-Type: text/html\r\n\r\n<base href="${at}"><img src="${at}/a.png">x<iframe src="${at}">`,
    ],
    ['formula', 'csv', `=WEBSERVICE("${at}");x\n`],
    [
      'page',
      'html',
      `<link rel=stylesheet href="${at}/a.css"><style>@import url(${at}/b.css); @font-face{font-family:f;src:url(${at}/f.ttf)}</style><base href="${at}/"><body background="${at}/bg.png"><p style="font-family:f">x<img src="${at}/a.png"><iframe src="${at}"></iframe><object data="${at}"></object><embed src="${at}"><script src="${at}/a.js"></script>`,
    ],
  ]

  test(
    'F1: makes no request',
    async () => {
      await Promise.all(reaching(url).map(([, kind, content]) => convert(kind, content)))
      expect(connections).toBe(0)
      await fetch(url).catch(() => {})
      expect(connections).toBe(1)
    },
    PATIENCE,
  )

  test(
    'F1: reads no file of the host',
    async () => {
      const converted = await Promise.all(
        reaching(`file://${secret}`).map(([, kind, content]) => convert(kind, content)),
      )
      const made = converted.flatMap((each) => (each.converted instanceof Error ? [] : [each.converted]))
      expect(made.length).toBeGreaterThan(5)
      for (const { path, content_type: type } of made) {
        const pages = await renderer.boxes({ path, type })
        expect((await renderer.text({ path, type }, pages.length)).join('\n')).not.toContain('TOPSECRET')
      }
    },
    PATIENCE,
  )

  test('F1: runs no macro', async () => {
    const event = `<office:scripts><office:event-listeners><script:event-listener script:language="ooo:script" script:event-name="dom:load" xlink:href="vnd.sun.star.script:Standard.Module1.Main?language=Basic&amp;location=document" xlink:type="simple"/></office:event-listeners></office:scripts>`
    const library = (text: string) => `<?xml version="1.0" encoding="UTF-8"?>${text}`
    const { outDir, converted } = await convert(
      'odt',
      odf(
        'text',
        '<text:p>x</text:p>',
        {
          'Basic/script-lc.xml': library(
            '<library:libraries xmlns:library="http://openoffice.org/2000/library" xmlns:xlink="http://www.w3.org/1999/xlink"><library:library library:name="Standard" library:link="false"/></library:libraries>',
          ),
          'Basic/Standard/script-lb.xml': library(
            '<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false" library:passwordprotected="false"><library:element library:name="Module1"/></library:library>',
          ),
          'Basic/Standard/Module1.xml': library(
            '<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">Sub Main\nOpen "/work/pwned" For Output As #1\nPrint #1, "x"\nClose #1\nEnd Sub</script:module>',
          ),
        },
        event,
      ),
    )
    expect(converted).not.toBeInstanceOf(Error)
    expect(await readdir(outDir)).not.toContain('pwned')
  })

  test('F4: fails with a reason if it cannot be opened', async () => {
    const damaged = docx(paragraph('x')).subarray(0, 500)
    expect((await convert('docx', damaged)).converted).toMatchObject({ message: expect.stringContaining('damaged') })
    const encrypted = odf('text', '', { 'META-INF/manifest.xml': '<manifest:encryption-data/>' })
    expect((await convert('odt', encrypted)).converted).toMatchObject({ message: expect.stringContaining('password') })
    expect((await convert('pages', zipOf({ 'a.txt': 'x' }))).converted).toMatchObject({
      message: expect.stringContaining('damaged'),
    })
    const message = outlookFile({ body: 'x' }).subarray(0, 1500)
    expect((await convert('msg', message)).converted).toMatchObject({ message: expect.stringContaining('damaged') })
  })

  test('K6: is reported as too slow, not as damaged, when it uses up its CPU time', async () => {
    const { converted } = await convert('rtf', `{\\rtf1 ${'\\par '.repeat(500_000)}}`, { cpuSeconds: 1 })
    expect(converted).toMatchObject({ message: expect.stringContaining('too long'), late: true })
  })

  test('F3: is stopped with all its processes when it takes too long', async () => {
    const { converted, outDir } = await convert('docx', docx(paragraph('x')), { timeLimitMs: 300 })
    expect(converted).toBeInstanceOf(DocumentFault)
    expect(converted).toMatchObject({ message: expect.stringContaining('too long') })
    await expect.poll(() => processesWith(outDir)).toEqual([])
  })

  test('is stopped when its conversion is aborted', async () => {
    const stopping = new AbortController()
    const converting = convert('docx', docx(paragraph('x')), { signal: stopping.signal })
    // Wait until the tool runs, because an earlier abort is reported with another message.
    const isRunning = async () => (await processesWith(join(folder, 'out-'))).length > 0
    await expect.poll(isRunning, { timeout: 40_000, interval: 5 }).toBe(true)
    stopping.abort(new Error('shutting down'))
    const { converted, outDir } = await converting
    expect(converted).toMatchObject({ message: 'shutting down' })
    await expect.poll(() => processesWith(outDir)).toEqual([])
  })
})

/** Returns the command lines that name the folder. */
async function processesWith(outDir: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(outDir))
}

describe.skipIf(!isUsable)('the sandbox', () => {
  const run = (script: string, timeLimitMs = 20_000) =>
    runTool('bubblewrap', {
      command: () => ['sh', '-c', script],
      folder,
      cpuSeconds: 60,
      timeLimitMs,
      signal: undefined,
    })

  test('F2: has no network, no user names, no environment and none of our files', async () => {
    const inside = await run('cat /proc/net/dev; env; ls -a / /root /home /tmp 2>&1; cat /etc/passwd 2>&1; id -u')
    expect(inside).toMatch(/lo:/)
    expect(inside).not.toMatch(/eth|ens|wlan|DATABASE|root:x/)
    expect(inside).toContain('65534')
    await expect(run(`ls ${process.cwd()}`)).rejects.toBeInstanceOf(DocumentFault)
  })

  test('F5: can write only in its folder', async () => {
    await expect(run('touch /usr/x')).rejects.toBeInstanceOf(DocumentFault)
    await expect(run('touch /etc/fonts/x')).rejects.toBeInstanceOf(DocumentFault)
    await run('touch made')
    await access(join(folder, 'made'))
  })

  test('F3: ends a tool that writes, computes, forks or waits without end', async () => {
    await expect(run('cat /dev/zero > big')).rejects.toBeInstanceOf(DocumentFault)
    await rm(join(folder, 'big'))
    await expect(run('ulimit -S -t 1; while :; do :; done')).rejects.toMatchObject({
      message: expect.stringContaining('too long'),
    })
    expect(await run('cat /proc/self/limits')).toMatch(
      /Max cpu time +60 [^]*Max processes +256 [^]*Max address space +4294967296 /,
    )
    await expect(run('sleep 1000 & sleep 1000', 300)).rejects.toMatchObject({
      message: expect.stringContaining('too long'),
    })
  })
})

describe('a type that cannot be converted', () => {
  test('is reported with a reason', async () => {
    const converter = createConverter({ sandboxing: 'bubblewrap', renderer })
    expect(await converter.obstacle('application/zip')).toBe('There is no converter for this type.')
    for (const type of ['image/svg+xml', 'text/plain', 'text/csv', 'text/html', 'message/rfc822'])
      expect(await converter.obstacle(type)).toBeUndefined()
  })
})
