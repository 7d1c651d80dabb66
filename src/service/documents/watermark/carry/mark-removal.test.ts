import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leastChanged, type Pixels, seenPages } from '../../../testing/documents/pixels.ts'
import { removalSamples } from '../../../testing/documents/removal-samples.ts'
import { SAMPLE_MARKING } from '../../../testing/documents/sample-reader.ts'
import { ensureInstalled } from '../../../testing/system-packages.ts'
import type { Dictionary, Dump, Entry, Value } from './pdf-values.ts'
import { openQpdf } from './qpdf.ts'
import { stampAnyPdf } from './stamp-any-pdf.ts'

// After one kind of content is removed from a stamped PDF, the rest shows the mark, or no longer shows the page.

const run = promisify(execFile)
/** The smallest fraction of a page that must differ from the page without a mark. */
const SEEN = 0.0015

let folder: string
const stamped = new Map<string, { path: string; clean: Pixels[] }>()
const hasTools = await ensureInstalled('pdfTools')
const samples = await removalSamples()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strongroom-removal-'))
  for (const [name, pdf] of Object.entries(samples)) {
    const [source, path] = [join(folder, `${name}.source.pdf`), join(folder, `${name}.pdf`)]
    await writeFile(source, pdf)
    await stampAnyPdf({ path: source, type: 'application/pdf' }, path, SAMPLE_MARKING)
    stamped.set(name, { path, clean: await seenPages(pdf) })
  }
}, 120_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

type Objects = Record<string, Entry>

function sample(name: string) {
  const found = stamped.get(name)
  if (!found) throw new Error(`${name} was not stamped`)
  return found
}

/** Returns the smallest fraction of any page that differs from the clean page; 1 if the file or its pages are gone. */
async function leastLeft(name: string, attacked: Buffer): Promise<number> {
  const { clean } = sample(name)
  const pages = await seenPages(attacked).catch(() => [])
  if (pages.length !== clean.length) return 1
  return Math.min(
    ...pages.map((page, index) => {
      const before = clean[index]
      const isComparable = before && before.width === page.width && before.height === page.height
      return isComparable ? leastChanged(page, before, 1) : 1
    }),
  )
}

async function edited(name: string, change: (objects: Objects) => void): Promise<Buffer> {
  const qpdf = await openQpdf()
  const [dump, out] = [join(folder, 'attack.json'), join(folder, 'attack.pdf')]
  const options = ['--json-output', '--json-stream-data=inline', '--decode-level=generalized']
  qpdf.run([qpdf.mount(sample(name).path), ...options, qpdf.mount(dump)])
  const document = JSON.parse(await readFile(dump, 'utf8')) as Dump
  change(document.qpdf[1])
  await writeFile(dump, JSON.stringify(document))
  await rm(out, { force: true })
  qpdf.run(['--json-input', qpdf.mount(dump), qpdf.mount(out)])
  return readFile(out).catch(() => Buffer.alloc(0))
}

const isDictionary = (value: Value | undefined): value is Dictionary =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns every dictionary of the document, at any depth. */
function dictionariesOf(objects: Objects): Dictionary[] {
  const found: Dictionary[] = []
  const visit = (value: Value | undefined): void => {
    if (Array.isArray(value)) for (const each of value) visit(each)
    else if (isDictionary(value)) {
      found.push(value)
      for (const each of Object.values(value)) visit(each)
    }
  }
  for (const { value, stream } of Object.values(objects)) visit(stream?.dict ?? value)
  return found
}

const pagesOf = (objects: Objects): Dictionary[] => dictionariesOf(objects).filter((each) => each['/Type'] === '/Page')

function removeKeys(...keys: string[]) {
  return (objects: Objects): void => {
    for (const dictionary of dictionariesOf(objects)) for (const key of keys) delete dictionary[key]
  }
}

/** Changes the text of each page's content. */
function rewrite(change: (lines: string[], all: string[][]) => string[]) {
  return (objects: Objects): void => {
    const streams = pagesOf(objects).flatMap((page) => {
      const entry = objects[`obj:${String([page['/Contents']].flat()[0])}`]
      return entry?.stream ? [entry.stream] : []
    })
    const all = streams.map(({ data = '' }) => Buffer.from(data, 'base64').toString('latin1').split('\n'))
    for (const [index, stream] of streams.entries()) {
      const text = change(all[index] ?? [], all).join('\n')
      stream.data = Buffer.from(text, 'latin1').toString('base64')
    }
  }
}

/** Removes lines that occur, four in a row, on another page too. */
function withoutCommon(lines: string[], all: string[][]): string[] {
  const RUN = 4
  const others = all.filter((each) => each !== lines)
  const runs = new Set(others.flatMap((each) => each.map((_, at) => each.slice(at, at + RUN).join('\n'))))
  const isCommon = lines.map((_, at) => runs.has(lines.slice(at, at + RUN).join('\n')))
  return lines.filter((_, at) => !isCommon.slice(Math.max(0, at - RUN + 1), at + 1).includes(true))
}

/** Removes lines that occur, five in a row, more than once on the same page. */
function withoutRepeated(lines: string[]): string[] {
  const RUN = 5
  const counts = new Map<string, number>()
  const keys = lines.map((_, at) => lines.slice(at, at + RUN).join('\n'))
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  const isRepeated = keys.map((key) => (counts.get(key) ?? 0) > 1)
  return lines.filter((_, at) => !isRepeated.slice(Math.max(0, at - RUN + 1), at + 1).includes(true))
}

/** Removes everything from an operator that begins marked content to the one that ends it. */
function withoutMarkedContent(lines: string[]): string[] {
  return lines
    .join('\n')
    .replace(/[^\n]*(?:BDC|BMC)[^]*?EMC/g, '')
    .split('\n')
}

const EDITS: Record<string, (objects: Objects) => void> = {
  'all forms and images': removeKeys('/XObject'),
  'all annotations and form fields': removeKeys('/Annots', '/AcroForm'),
  'all optional content': removeKeys('/OCProperties', '/OC', '/Properties'),
  'all fonts': removeKeys('/Font'),
  'all embedded fonts': removeKeys('/FontFile', '/FontFile2', '/FontFile3', '/CharProcs'),
  'all graphics states': removeKeys('/ExtGState'),
  'all patterns, shadings and colour spaces': removeKeys('/Pattern', '/Shading', '/ColorSpace'),
  'the last content stream': (objects) => {
    for (const page of pagesOf(objects)) page['/Contents'] = [page['/Contents'] ?? []].flat().slice(0, -1)
  },
  'the first content stream': (objects) => {
    for (const page of pagesOf(objects)) page['/Contents'] = [page['/Contents'] ?? []].flat().slice(1)
  },
  'what pages have in common': rewrite(withoutCommon),
  'what stands on a page twice': rewrite(withoutRepeated),
  'marked content': rewrite(withoutMarkedContent),
  'the last third of the operators': rewrite((lines) => lines.slice(0, Math.ceil((lines.length * 2) / 3))),
}

const NAMES = Object.keys(samples)

describe.each(NAMES)('K5: the mark of %s', (name) => {
  it('is visible on every page', async () => {
    expect(await leastLeft(name, await readFile(sample(name).path))).toBeGreaterThan(SEEN)
  })

  it.each(Object.keys(EDITS).filter((edit) => edit !== 'the last third of the operators' || name === 'lines'))(
    'survives the removal of %s, if the page does',
    async (edit) => {
      expect(await leastLeft(name, await edited(name, EDITS[edit] ?? (() => {})))).toBeGreaterThan(SEEN)
    },
  )

  it('survives the removal of any one object, if the page does', async () => {
    const ids: string[] = []
    await edited(name, (objects) => ids.push(...Object.keys(objects).filter((id) => id !== 'trailer')))
    for (const id of ids) {
      const attacked = await edited(name, (objects) => void (objects[id] = { value: null }))
      expect([id, await leastLeft(name, attacked)]).toEqual([id, expect.toSatisfy((left: number) => left > SEEN)])
    }
  }, 120_000)
})

const pdfwrite = (...options: string[]) => ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', ...options]
const FILTERS = [['VECTOR'], ['TEXT'], ['IMAGE'], ['VECTOR', 'IMAGE'], ['VECTOR', 'TEXT'], ['TEXT', 'IMAGE']]

/** Tools that rewrite a PDF, or remove one kind of content from it. */
const TOOLS: Record<string, (source: string, target: string) => [string, string[]]> = {
  'qpdf, as text': (source, target) => ['qpdf', ['--qdf', '--object-streams=disable', source, target]],
  'qpdf, without unused resources': (source, target) => [
    'qpdf',
    ['--coalesce-contents', '--remove-unreferenced-resources=yes', '--flatten-annotations=all', source, target],
  ],
  'mutool clean': (source, target) => ['mutool', ['clean', '-ggggs', '-d', source, target]],
  'mutool clean with sanitized content': (source, target) => ['mutool', ['clean', '-ggggs', '-z', source, target]],
  ghostscript: (source, target) => ['gs', [...pdfwrite(`-sOutputFile=${target}`), source]],
  ...Object.fromEntries(
    FILTERS.map((kinds) => [
      `ghostscript without ${kinds.join(' and ').toLowerCase()}`,
      (source: string, target: string): [string, string[]] => [
        'gs',
        [...pdfwrite(...kinds.map((kind) => `-dFILTER${kind}`), `-sOutputFile=${target}`), source],
      ],
    ]),
  ),
}

describe.skipIf(!hasTools).each(['lines', 'scan', 'drawing', 'form'])('K5: the mark of %s', (name) => {
  it.each(Object.keys(TOOLS))('survives rewriting by %s, if the page does', async (tool) => {
    const target = join(folder, 'rewritten.pdf')
    await rm(target, { force: true })
    const [program, args] = TOOLS[tool]?.(sample(name).path, target) ?? ['false', []]
    await run(program, args).catch(() => {})
    const attacked = await readFile(target)
    expect(await leastLeft(name, attacked)).toBeGreaterThan(SEEN)
  })
})
