import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import { readDocuments } from '../../testing/jobs.ts'
import { compound, docx, odf, paragraph, zipOf } from '../../testing/documents/office-files.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { ensureInstalled } from '../../testing/system-packages.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { isSandboxUsable, runTool } from './sandbox.ts'

// Documents as LibreOffice writes them, tested from upload to pages and search.

const isUsable = (await ensureInstalled('office', 'bubblewrap')) && (await isSandboxUsable())
/** LibreOffice takes seconds for each document, and more on a busy machine. */
const PATIENCE = 300_000

const NAMESPACES = ['office', 'style', 'text', 'table']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .concat('xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"')
  .concat('xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"')
  .concat('xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"')
  .join(' ')
const flat = (kind: string, body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><office:document ${NAMESPACES} office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:automatic-styles><style:style style:name="new" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/></style:style></office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`

/** Three pages of text, two slides and a table, from which LibreOffice makes the other formats. */
const SOURCES = {
  'letter.fodt': flat(
    'text',
    '<text:p>Albatross Größe 契約書</text:p><text:p text:style-name="new">second</text:p><text:p text:style-name="new">third</text:p>',
  ),
  'talk.fodp': flat(
    'presentation',
    ['Albatross', 'second']
      .map(
        (text) =>
          `<draw:page><draw:frame svg:width="10cm" svg:height="3cm"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame></draw:page>`,
      )
      .join(''),
  ),
  'table.csv': 'Bird,Wingspan\nAlbatross,350\n',
}
const MADE: Record<string, { from: keyof typeof SOURCES; pages: number; extensions: string[] }> = {
  letter: { from: 'letter.fodt', pages: 3, extensions: ['docx', 'odt', 'doc', 'rtf', 'pdf'] },
  talk: { from: 'talk.fodp', pages: 2, extensions: ['pptx', 'odp', 'ppt'] },
  table: { from: 'table.csv', pages: 1, extensions: ['xlsx', 'ods', 'xls'] },
}

let folder: string
let service: TestService
let world: World
let room: Room
let into: number
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corpus-'))
  service = await startTestService()
  world = await createWorld(service)
  room = await createRoom(world)
  into = await room.folder('Corpus')
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

const get = (id: number) =>
  world.alice.call(api.files.get, { params: { id }, query: { workspace_id: room.workspace_id } })
const found = async (q: string) =>
  (await world.alice.call(api.files.search, { query: { workspace_id: room.workspace_id, q } })).map(
    (file) => file.title,
  )

async function make(from: keyof typeof SOURCES, extension: string): Promise<Buffer<ArrayBuffer>> {
  await writeFile(join(folder, from), SOURCES[from])
  await runTool('bubblewrap', {
    command: (seen) =>
      `soffice -env:UserInstallation=file://${seen}/profile --headless --convert-to ${extension} --outdir ${seen} ${from}`.split(
        ' ',
      ),
    folder,
    cpuSeconds: PATIENCE / 1000,
    timeLimitMs: PATIENCE,
    signal: undefined,
  })
  return readFile(join(folder, `${from.split('.')[0]}.${extension}`))
}

describe.skipIf(!isUsable)('documents as office programs write them', () => {
  test(
    'have pages and are found by their text',
    async () => {
      const uploaded: { id: number; title: string; pages: number }[] = []
      for (const { from, pages, extensions } of Object.values(MADE)) {
        for (const extension of extensions) {
          const name = `${from.split('.')[0]}.${extension}`
          const { id, title } = await room.upload(world.alice, into, name, await make(from, extension))
          uploaded.push({ id, title, pages })
        }
      }
      await readDocuments(service)
      for (const { id, title, pages } of uploaded) {
        const file = await get(id)
        expect([title, file.viewer_image.status, file.pages]).toEqual([title, 'Ready', pages])
      }
      const titles = uploaded.map(({ title }) => title).toSorted()
      expect((await found('albatross')).toSorted()).toEqual(titles)
      expect((await found('契約書')).toSorted()).toEqual(titles.filter((title) => title.startsWith('letter')))
    },
    PATIENCE,
  )

  test(
    'F6: fail with a reason if they are damaged or encrypted, and hold nothing up',
    async () => {
      const hostile: [string, Buffer<ArrayBuffer>, string][] = [
        ['cut off.docx', docx(paragraph('x'.repeat(5000))).subarray(0, 700), 'damaged'],
        ['empty.xlsx', Buffer.from('PK\x05\x06'.padEnd(22, '\0'), 'latin1'), 'damaged'],
        ['secret.odt', odf('text', '', { 'META-INF/manifest.xml': '<manifest:encryption-data/>' }), 'password'],
        ['secret.docx', compound('EncryptedPackage'), 'password'],
        ['no document.docx', zipOf({ 'a.txt': 'x' }), 'damaged'],
      ]
      const ids: number[] = []
      for (const [name, content] of hostile) ids.push((await room.upload(world.alice, into, name, content)).id)
      const good = await room.upload(world.alice, into, 'good.txt', 'a puffin')
      await readDocuments(service)
      const documents = await world.alice.call(api.documents.list, { query: { workspace_id: room.workspace_id } })
      for (const [at, [name, , reason]] of hostile.entries()) {
        expect([name, (await get(ids[at] ?? 0)).viewer_image.status]).toEqual([name, 'Failed'])
        expect(documents.find((document) => document.file_id === ids[at])?.reason).toContain(reason)
      }
      expect((await get(good.id)).viewer_image.status).toBe('Ready')
      expect(await found('puffin')).toEqual(['good.txt'])
    },
    PATIENCE,
  )

  test(
    'include PDFs that are installed on this machine',
    async () => {
      const paths = await installedPdfs()
      const ids: number[] = []
      for (const path of paths) {
        ids.push((await room.upload(world.alice, into, path.replaceAll('/', ' '), await readFile(path))).id)
      }
      await readDocuments(service)
      for (const [at, path] of paths.entries()) {
        const { viewer_image, pages } = await get(ids[at] ?? 0)
        expect([path, viewer_image.status]).toEqual([path, 'Ready'])
        expect(pages).toBeGreaterThan(0)
      }
    },
    PATIENCE,
  )
})

/** Returns a few of the PDFs that Debian packages install. */
async function installedPdfs(): Promise<string[]> {
  const all = await readdir('/usr/share', { recursive: true }).catch(() => [])
  return all
    .filter((path) => path.endsWith('.pdf'))
    .slice(0, 5)
    .map((path) => join('/usr/share', path))
}
