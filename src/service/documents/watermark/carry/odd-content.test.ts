import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LAST_WORDS, oddContent } from '../../../testing/documents/odd-content-samples.ts'
import { leastChanged, type Pixels, seenPages } from '../../../testing/documents/pixels.ts'
import { SAMPLE_MARKING } from '../../../testing/documents/sample-reader.ts'
import { ensureInstalled } from '../../../testing/system-packages.ts'
import type { Dictionary, Dump } from './pdf-values.ts'
import { openQpdf } from './qpdf.ts'
import { stampAnyPdf } from './stamp-any-pdf.ts'

// Pages whose content readers disagree about, or whose content would hide a mark drawn into it.

const run = promisify(execFile)
/** The smallest fraction of each cell that must differ from the page without a mark. */
const SEEN = 0.004
const CELLS = 3

const hasTools = await ensureInstalled('pdfTools')
const { pages, pdf } = oddContent()
let folder: string
let stamped: Buffer
let document: Dump
let clean: Pixels[]
let marked: Pixels[]
let cut: Pixels[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strongroom-odd-'))
  const [source, target] = [join(folder, 'source.pdf'), join(folder, 'stamped.pdf')]
  await writeFile(source, pdf)
  await stampAnyPdf({ path: source, type: 'application/pdf' }, target, SAMPLE_MARKING)
  stamped = await readFile(target)
  document = await dumpOf(target)
  clean = await seenPages(pdf)
  marked = await seenPages(stamped)
  cut = await seenPages(await withoutTails())
}, 120_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

async function dumpOf(path: string): Promise<Dump> {
  const qpdf = await openQpdf()
  const dump = join(folder, 'dump.json')
  const options = ['--json-output', '--json-stream-data=inline', '--decode-level=generalized']
  qpdf.run([qpdf.mount(path), ...options, qpdf.mount(dump)])
  return JSON.parse(await readFile(dump, 'utf8')) as Dump
}

const dictionaryAt = (reference: unknown): Dictionary =>
  document.qpdf[1][`obj:${String(reference)}`]?.value as Dictionary

const pageAt = (index: number): Dictionary => {
  const root = dictionaryAt((document.qpdf[1]['trailer'] as { value: Dictionary }).value['/Root'])
  return dictionaryAt((dictionaryAt(root['/Pages'])['/Kids'] as string[])[index])
}

const contentAt = (index: number): string => {
  const { data = '' } = document.qpdf[1][`obj:${String(pageAt(index)['/Contents'])}`]?.stream ?? {}
  return Buffer.from(data, 'base64').toString('latin1')
}

/** Returns the document with each page cut off after its own last operator. */
async function withoutTails(): Promise<Buffer> {
  const [edited, target] = [structuredClone(document), join(folder, 'cut.pdf')]
  for (const index of pages.keys()) {
    const content = contentAt(index)
    const at = content.indexOf('Tj', content.lastIndexOf(LAST_WORDS))
    const stream = edited.qpdf[1][`obj:${String(pageAt(index)['/Contents'])}`]?.stream
    if (stream && content.includes(LAST_WORDS))
      stream.data = Buffer.from(`${content.slice(0, at)}Tj ET`, 'latin1').toString('base64')
  }
  const json = join(folder, 'cut.json')
  await writeFile(json, JSON.stringify(edited))
  const qpdf = await openQpdf()
  qpdf.run(['--json-input', qpdf.mount(json), qpdf.mount(target)])
  return readFile(target)
}

function leastSeen(page: Pixels | undefined, index: number, cells = CELLS): number {
  const before = clean[index]
  return page && before ? leastChanged(page, before, cells) : 0
}

describe.each(pages.map(({ name, delivered }, index) => ({ name, delivered, index })))(
  'a page with $name',
  ({ delivered, index }) => {
    it('K19: shows the mark in every part', () => {
      expect(leastSeen(marked[index], index)).toBeGreaterThan(SEEN)
    })

    it.runIf(delivered === 'woven')('K5: keeps the mark when everything after its last operator is cut off', () => {
      expect(contentAt(index)).toContain(LAST_WORDS)
      expect(leastSeen(cut[index], index, 1)).toBeGreaterThan(SEEN)
    })

    it.runIf(delivered === 'picture')('K5: is a picture with the mark in its pixels, and nothing else', () => {
      expect(contentAt(index)).toMatch(/^q\n[^\n]* cm\n\/Im\d+ Do\nQ\n$/)
      const resources = pageAt(index)['/Resources'] as Dictionary
      expect(Object.keys(resources)).toEqual(['/XObject'])
      expect(Object.keys(resources['/XObject'] as Dictionary)).toHaveLength(1)
    })
  },
)

describe.skipIf(!hasTools).each(['mutool', 'gs'])('drawn by %s', (tool) => {
  let before: Pixels[]
  let after: Pixels[]
  beforeAll(async () => {
    before = await drawnBy(tool, join(folder, 'source.pdf'))
    after = await drawnBy(tool, join(folder, 'stamped.pdf'))
  }, 120_000)

  it.each(pages.map(({ name }, index) => ({ name, index })))('K19: a page with $name shows the mark', ({ index }) => {
    const [clean, page] = [before[index], after[index]]
    // A page that the tool does not draw counts as unmarked.
    expect(page && clean ? leastChanged(page, clean, 1) : 0).toBeGreaterThan(SEEN)
  })
})

async function drawnBy(tool: string, path: string): Promise<Pixels[]> {
  const images = join(folder, `${tool}-%d.png`)
  const args =
    tool === 'mutool'
      ? ['draw', '-q', '-r', '40', '-o', images, path]
      : ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-sDEVICE=png16m', '-r40', `-sOutputFile=${images}`, path]
  await run(tool, args).catch(() => {})
  const drawn = pages.map(
    async (_, index) => (await seenPages(await readFile(images.replace('%d', `${index + 1}`))))[0],
  )
  return (await Promise.all(drawn)) as Pixels[]
}
