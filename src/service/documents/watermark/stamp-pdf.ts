import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { type Dictionary, type Dump, type Entry, type PdfPage, readStructure, type Structure } from './pdf-structure.ts'
import type { Mark, PageSize } from './placement.ts'
import { type ExitCode, openQpdf, type Qpdf } from './qpdf.ts'
import { multiply } from './weave/matrix.ts'
import { makeMarkFonts, type MarkFont } from './weave/mark-fonts.ts'
import { namePieces } from './weave/page-names.ts'
import { type Piece, piecesOf, type Shape, shapesOf } from './weave/pieces.ts'
import { drawAfterForm, weavePage, type Woven } from './weave/weave-page.ts'
import { number, type Random } from './weave/write-piece.ts'

/** qpdf cannot do anything with it. */
export class QpdfFailure extends Error {}

export interface Stamped {
  /** Pages. */
  count: number
  /** Nothing had to be guessed or left out. */
  isWhole: boolean
}

/** How much two pages may differ and still share a mark, which is scaled to the page: the rest stays at its edge. */
const SIMILAR = 0.02
/** Points that the mark is moved by, differently on each page of A4 size. */
const JITTER = 5

interface Files {
  source: string
  target: string
  dump: string
  update: string
  flat: string
  selection: string
}

/**
 * Weaves the mark into the content of every page of a PDF: in pieces between the page's own operators, in no object of
 * their own. What would show the pages without it goes: signatures, attachments, XFA, thumbnails, what lies outside of
 * the crop box. Annotations other than links become part of the page, below the mark.
 * `work` is a path for files in between.
 * @throws QpdfFailure
 */
export async function stampPdf(
  source: string,
  target: string,
  work: string,
  markFor: (page: PageSize) => Mark,
  random: Random = Math.random,
): Promise<Stamped> {
  const qpdf = await openQpdf()
  const codes: ExitCode[] = []
  const run = (...args: string[]) => void codes.push(runChecked(qpdf, args))
  const made = {
    dump: `${work}.dump.json`,
    update: `${work}.update.json`,
    flat: `${work}.flat.pdf`,
    selection: `${work}.selection.txt`,
  }
  const files: Files = { source, target, ...made }
  try {
    let structure = readDump(qpdf, run, files)
    if (structure.isAnnotated) {
      flatten(qpdf, run, files, structure)
      structure = readDump(qpdf, run, { ...files, source: files.flat })
      files.source = files.flat
    }
    const contents = readContents(qpdf, run, files, structure.pages)
    writeFileSync(files.update, JSON.stringify(weave(structure, contents, markFor, random)))
    run(
      qpdf.mount(files.source),
      '--decrypt',
      '--remove-restrictions',
      `--update-from-json=${qpdf.mount(files.update)}`,
      qpdf.mount(target),
    )
    return { count: structure.pages.length, isWhole: codes.every((code) => code === 0) }
  } finally {
    for (const file of Object.values(made)) rmSync(file, { force: true })
  }
}

type Run = (...args: string[]) => void

function runChecked(qpdf: Qpdf, args: readonly string[]): ExitCode {
  const code = qpdf.run(args)
  if (code === 2) throw new QpdfFailure(qpdf.errors().join(' ').slice(0, 500))
  return code
}

const readJson = (path: string): Dump => JSON.parse(readFileSync(path, 'utf8')) as Dump

function readDump(qpdf: Qpdf, run: Run, { source, dump }: Files): Structure {
  run(qpdf.mount(source), '--json-output', '--json-stream-data=none', qpdf.mount(dump))
  return readStructure(readJson(dump))
}

/** Draws annotations into the pages. */
function flatten(qpdf: Qpdf, run: Run, { source, update, flat }: Files, { repairs }: Structure): void {
  writeFileSync(update, JSON.stringify(repairs))
  const appearances = ['--generate-appearances', '--flatten-annotations=all']
  const options = ['--decrypt', '--remove-restrictions', `--update-from-json=${qpdf.mount(update)}`, ...appearances]
  run(qpdf.mount(source), ...options, qpdf.mount(flat))
}

/** The content streams of all pages, decoded, by their references. */
function readContents(qpdf: Qpdf, run: Run, files: Files, pages: readonly PdfPage[]): Map<string, Buffer> {
  const references = [...new Set(pages.flatMap(({ contents }) => contents))]
  if (references.length === 0) return new Map()
  const selected = references.map((reference) => `--json-object=${reference.replace(' R', '').replace(' ', ',')}`)
  writeFileSync(files.selection, selected.join('\n'))
  const options = ['--json-output', '--json-stream-data=inline', '--decode-level=generalized']
  run(qpdf.mount(files.source), ...options, `@${qpdf.mount(files.selection)}`, qpdf.mount(files.dump))
  const [, objects] = readJson(files.dump).qpdf
  return new Map(references.map((reference) => [reference, decodedData(objects[`obj:${reference}`])]))
}

function decodedData(entry: Entry | undefined): Buffer {
  if (!entry?.stream || '/Filter' in entry.stream.dict) throw new QpdfFailure('content cannot be decoded')
  return Buffer.from(entry.stream.data ?? '', 'base64')
}

/** What `--update-from-json` takes to make the marked document. */
function weave(
  { pages, repairs, nextObject }: Structure,
  contents: ReadonlyMap<string, Buffer>,
  markFor: (page: PageSize) => Mark,
  random: Random,
): Dump {
  const [header, repaired] = repairs.qpdf
  const shapesFor = shapesBySize(markFor)
  const [firstPage] = pages
  const objects: Record<string, Entry> = { ...repaired }
  let next = nextObject
  const add: Add = (dictionary, content) => {
    const reference = `${next++} 0 R`
    if (!content) {
      objects[`obj:${reference}`] = { value: dictionary }
      return reference
    }
    const data = deflateSync(content, { level: 1 })
    objects[`obj:${reference}`] = {
      stream: { dict: { ...dictionary, '/Filter': '/FlateDecode' }, data: data.toString('base64') },
    }
    return reference
  }
  const fonts = firstPage ? makeMarkFonts(shapesFor(firstPage), add, random) : []
  for (const page of new Map(pages.map((each) => [each.reference, each])).values()) {
    const content = Buffer.concat(page.contents.flatMap((each) => [contents.get(each) ?? Buffer.alloc(0), NEWLINE]))
    const pieces = piecesOf(shapesFor(page), moved(page, random), random)
    const changes = wovenInto(page, content, pieces, fonts, random, add)
    objects[`obj:${page.reference}`] = { value: { ...page.dictionary, ...changes } }
  }
  return { qpdf: [header, objects] }
}

/** A new object. @returns the reference to it */
type Add = (dictionary: Dictionary, content?: Buffer) => string

const NEWLINE = Buffer.from('\n')

function wovenInto(
  page: PdfPage,
  content: Buffer,
  pieces: readonly Piece[],
  fonts: readonly MarkFont[],
  random: Random,
  add: Add,
): Dictionary {
  const { box, named, usedNames, resources } = page
  const namesWith = (own: Dictionary) =>
    namePieces(
      pieces,
      { states: namesIn(own, '/ExtGState'), fonts: namesIn(own, '/Font'), all: usedNames },
      fonts,
      random,
    )
  const woven = named && weavePage(content, pieces, { box, resources: named }, namesWith(resources), random)
  if (woven) return { '/Contents': add({}, woven.content), '/Resources': withNames(resources, woven) }
  const form = { '/Type': '/XObject', '/Subtype': '/Form', '/BBox': [...box], '/Resources': resources }
  const drawn = drawAfterForm('/Fm0', pieces, namesWith({}), random)
  const own = { '/XObject': { '/Fm0': add(form, content) } }
  return { '/Contents': add({}, drawn.content), '/Resources': withNames(own, drawn) }
}

const namesIn = (resources: Dictionary, kind: string): string[] => Object.keys((resources[kind] as Dictionary) ?? {})

/** Everything that the page may have set is set anew: nothing that it left in force changes the mark. */
function withNames(resources: Dictionary, { states, fonts }: Woven): Dictionary {
  const added = [...states].map(([name, opacity]) => [
    name,
    {
      '/Type': '/ExtGState',
      '/BM': '/Normal',
      '/SMask': '/None',
      '/AIS': false,
      '/CA': opacity,
      '/ca': opacity,
      '/OP': false,
      '/op': false,
    },
  ])
  return {
    ...resources,
    '/ExtGState': { ...(resources['/ExtGState'] as Dictionary), ...Object.fromEntries(added) },
    '/Font': { ...(resources['/Font'] as Dictionary), ...Object.fromEntries(fonts) },
  }
}

/** The mark of a page lies not quite where that of the page before did. */
function moved({ toPage, width, height }: PdfPage, random: Random) {
  const reach = (JITTER * Math.sqrt(width * height)) / 700
  const [x, y] = [(random() * 2 - 1) * reach, (random() * 2 - 1) * reach]
  return multiply([1, 0, 0, 1, Number(number(x)), Number(number(y))], toPage)
}

/** Pages of about one size share the shapes of a mark. */
function shapesBySize(markFor: (page: PageSize) => Mark): (page: PageSize) => Shape[] {
  const known: { page: PageSize; shapes: Shape[] }[] = []
  return (page) => {
    const similar = known.find((each) => isSimilar(each.page, page))
    if (similar) return similar.shapes
    const shapes = shapesOf(markFor(page))
    known.push({ page, shapes })
    return shapes
  }
}

function isSimilar(a: PageSize, b: PageSize): boolean {
  return Math.abs(a.width / b.width - 1) < SIMILAR && Math.abs(a.height / b.height - 1) < SIMILAR
}
