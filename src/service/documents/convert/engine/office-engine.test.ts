import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compound, docx, paragraph } from '../../../testing/documents/office-files.ts'
import { openRenderer, type Renderer } from '../../render.ts'
import { createConverter } from '../convert.ts'
import { openOfficeEngine, type OfficeEngine } from './office-engine.ts'

/** Each document starts LibreOffice, which takes seconds, and more on a busy machine. */
const PATIENCE = 300_000
const DEMO = fileURLToPath(new URL('../../../../embedded/demo/documents/Project Harbour/', import.meta.url))
const PDF = 'application/pdf'

let folder: string
let engine: OfficeEngine
let renderer: Renderer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-'))
  engine = openOfficeEngine()
  renderer = openRenderer()
})
afterAll(async () => {
  await Promise.all([engine.close(), renderer.close()])
  await rm(folder, { recursive: true })
})

const limits = { cpuMs: PATIENCE, wallMs: PATIENCE, signal: undefined }

async function textOf(name: string, content: Buffer): Promise<string[]> {
  const source = join(folder, name)
  const target = `${source}.pdf`
  await writeFile(source, content)
  await engine.toPdf(source, target, limits)
  const pdf = { path: target, type: PDF }
  return renderer.text(pdf, (await renderer.boxes(pdf)).length)
}

const isPresent = openOfficeEngine().isPresent
if (!isPresent) console.warn('LibreOffice as WebAssembly is not tested: its optional package is not installed.')

/** A converter on a machine without LibreOffice. */
const withoutOffice = (options: { timeLimitMs?: number; cpuSeconds?: number } = {}) =>
  createConverter({ sandboxing: 'bubblewrap', renderer, engine, programs: { office: [], heif: [] }, ...options })

describe.skipIf(!isPresent)('LibreOffice as WebAssembly', () => {
  test('is not asked for documents for which it has no filter', async () => {
    const obstacles = ['application/vnd.visio', 'application/vnd.ms-publisher', 'application/msword'].map((type) =>
      withoutOffice().obstacle(type),
    )
    const absent = 'A preview of this type needs LibreOffice, which is not installed.'
    expect(await Promise.all(obstacles)).toEqual([absent, absent, undefined])
  })

  test(
    'converts documents, one in each process, with fonts for all scripts',
    async () => {
      const presentation = await readFile(join(DEMO, 'Overview/Management presentation.pptx'))
      const slides = await textOf('talk.pptx', presentation)
      expect(slides).toHaveLength(4)
      const sheet = await readFile(join(DEMO, 'Overview/Working group list.xlsx'))
      expect((await textOf('list.xlsx', sheet)).join()).toContain('Lindqvist Law')
      const [page] = await textOf('letter.docx', docx(paragraph('Größe 契約書 계약 مذكرة חוזה')))
      for (const word of ['Größe', '契約書', '계약', 'مذكرة', 'חוזה']) expect(page).toContain(word)
      const older = join(folder, 'older')
      await writeFile(older, '{\\rtf1 albatross}')
      const { path } = await withoutOffice().convert(older, 'application/rtf', join(folder, 'converted'))
      expect((await renderer.text({ path, type: PDF }, 1)).join()).toContain('albatross')
    },
    PATIENCE,
  )

  test(
    'F6: refuses what it cannot read, is ended at a limit, and converts the next document all the same',
    async () => {
      await expect(textOf('odd.doc', compound('WordDocument'))).rejects.toThrow('damaged')
      const source = join(folder, 'long.docx')
      const target = join(folder, 'long.pdf')
      await writeFile(source, docx(paragraph('x '.repeat(2_000_000))))
      await expect(engine.toPdf(source, target, { cpuMs: 200, signal: undefined })).rejects.toThrow('too long')
      const left = engine.toPdf(source, target, { cpuMs: PATIENCE, signal: AbortSignal.timeout(300) })
      await expect(left).rejects.toThrow('given up')
      const texts = await Promise.all([
        textOf('a.docx', docx(paragraph('albatross'))),
        textOf('b.docx', docx(paragraph('puffin'))),
      ])
      expect(texts.map((pages) => pages.join().trim())).toEqual(['albatross', 'puffin'])
    },
    PATIENCE,
  )

  test(
    'is ended at the time limit of the converter, and a document that it refuses early is not called late',
    async () => {
      const source = join(folder, 'slow')
      const convert = (options: Parameters<typeof withoutOffice>[0], name: string) =>
        withoutOffice(options).convert(source, 'application/rtf', join(folder, name))
      await writeFile(source, `{\\rtf1 ${'x '.repeat(300_000)}}`)
      await expect(convert({ timeLimitMs: 100, cpuSeconds: 600 }, 'limited')).rejects.toMatchObject({ late: true })
      await writeFile(source, compound('WordDocument'))
      await expect(convert({}, 'damaged')).rejects.toMatchObject({ late: false })
    },
    PATIENCE,
  )
})
