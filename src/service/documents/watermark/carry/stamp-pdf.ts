import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ContentOf } from './pdf-resources.ts'
import { type PdfPage, readStructure, type Structure } from './pdf-structure.ts'
import type { Dictionary, Dump } from './pdf-values.ts'
import { picturedIn, wovenInto } from './page-changes.ts'
import type { Mark, PageSize } from '../plan/placement.ts'
import { type ExitCode, openQpdf, type Qpdf } from './qpdf.ts'
import { createUpdateFile } from './update-file.ts'
import { multiply } from './weave/matrix.ts'
import { makeMarkFonts } from './weave/mark-fonts.ts'
import { piecesOf, type Shape, shapesOf } from './weave/pieces.ts'
import { MAX_FOLLOWED } from './weave/weave-page.ts'
import { number, type Random } from './weave/write-piece.ts'
import { RenderFault } from '../../render/faults.ts'

/** qpdf cannot process the document. */
export class QpdfFailure extends Error {}

export interface Stamped {
  count: number
  /** qpdf did not have to guess or leave out anything. */
  isWhole: boolean
}

/** Pages with the mark in their pixels, as JPEG. */
export interface Pictures {
  count: number
  draw(pageNumber: number): Promise<{ width: number; height: number; jpeg: Buffer }>
  close(): void
}

export interface Marker {
  markFor(page: PageSize): Mark
  openPictures(path: string): Promise<Pictures>
}

/** How much the sizes of pages that share a mark may differ. The mark is not scaled: the rest stays at the edge. */
const SIMILAR = 0.02
/** Points by which the mark is moved at most on an A4 page, differently on each page. */
const JITTER = 5

const UNLOCK = ['--decrypt', '--remove-restrictions']
/** `--update-from-json` silently loses changes of objects in object streams: qpdf reads the old objects again later. */
const UNPACK = '--object-streams=disable'

interface Files {
  source: string
  /** qpdf's path of the source. */
  input: string
  target: string
  dump: string
  update: string
  plain: string
  flat: string
  selection: string
  /** Folder for the data of the pages' streams. */
  streams: string
}

/**
 * Weaves the mark into the content of every page of a PDF, in pieces between the page's own operators, not in separate
 * objects. A page that cannot be woven becomes a picture with the mark in its pixels. Whatever would show the pages
 * without a mark is removed: signatures, attachments, XFA, thumbnails, anything outside of the crop box. Annotations
 * other than links become part of the page, below the mark. `work` is the path prefix of temporary files.
 * @throws QpdfFailure; RenderFault for a dynamic XFA form, which has no pages to mark
 */
export async function stampPdf(
  source: string,
  target: string,
  work: string,
  marker: Marker,
  random: Random = Math.random,
): Promise<Stamped> {
  const qpdf = await openQpdf()
  const codes: ExitCode[] = []
  const run = (...args: string[]) => void codes.push(runChecked(qpdf, args))
  const made = {
    dump: `${work}.dump.json`,
    update: `${work}.update.json`,
    plain: `${work}.plain.pdf`,
    flat: `${work}.flat.pdf`,
    selection: `${work}.selection.txt`,
    streams: `${work}.streams`,
  }
  const files: Files = { source, input: qpdf.open(source), target, ...made }
  mkdirSync(files.streams, { recursive: true })
  try {
    let opened = readDump(qpdf, run, files)
    if (opened.structure.isDynamicForm) throw new RenderFault('form')
    const replaceSource = (path: string) => {
      files.source = path
      files.input = qpdf.open(path)
      opened = readDump(qpdf, run, files)
    }
    if (opened.structure.isPacked) {
      run(files.input, ...UNLOCK, UNPACK, '--stream-data=preserve', qpdf.mount(files.plain))
      replaceSource(files.plain)
    }
    if (opened.structure.isAnnotated) {
      flatten(qpdf, run, files, opened.structure)
      replaceSource(files.flat)
    }
    const { structure, contents } = opened
    readContents(qpdf, run, files, structure, contents)
    const marks = await weave(files, structure, contents, marker, random)
    run(files.input, ...UNLOCK, `--update-from-json=${qpdf.open(files.update)}`, qpdf.mount(target))
    checkMarks(readDump(qpdf, run, { ...files, input: qpdf.open(target) }).structure, marks)
    return { count: structure.pages.length, isWhole: codes.every((code) => code === 0) }
  } finally {
    for (const file of Object.values(made)) rmSync(file, { force: true, recursive: true })
  }
}

type Run = (...args: string[]) => void

function runChecked(qpdf: Qpdf, args: readonly string[]): ExitCode {
  const code = qpdf.run(args)
  if (code === 2) throw new QpdfFailure(qpdf.errors().join(' ').slice(0, 500))
  return code
}

const readJson = (path: string): Dump => JSON.parse(readFileSync(path, 'utf8')) as Dump

/** Paths of files with the decoded data of streams, by reference. */
type Contents = Map<string, string>

function readDump(qpdf: Qpdf, run: Run, { input, dump }: Files): { structure: Structure; contents: Contents } {
  run(input, '--json-output', '--json-stream-data=none', qpdf.mount(dump))
  const contents: Contents = new Map()
  return { structure: readStructure(readJson(dump), contentIn(contents)), contents }
}

const contentIn =
  (contents: Contents): ContentOf =>
  (reference) => {
    const path = contents.get(reference)
    return path !== undefined && statSync(path).size <= MAX_FOLLOWED ? readFileSync(path) : undefined
  }

/** Draws annotations into the pages. */
function flatten(qpdf: Qpdf, run: Run, { input, update, flat }: Files, { repairs }: Structure): void {
  writeFileSync(update, JSON.stringify(repairs))
  const appearances = ['--generate-appearances', '--flatten-annotations=all']
  run(input, ...UNLOCK, UNPACK, `--update-from-json=${qpdf.open(update)}`, ...appearances, qpdf.mount(flat))
}

/** Decodes the content streams of all pages, and the forms that they draw, into files. */
function readContents(qpdf: Qpdf, run: Run, files: Files, { pages, forms }: Structure, contents: Contents): void {
  const own = new Set(pages.flatMap((page) => page.contents))
  const references = [...new Set([...own, ...forms])]
  if (references.length === 0) return
  const selected = references.map((reference) => `--json-object=${reference.replace(' R', '').replace(' ', ',')}`)
  writeFileSync(files.selection, selected.join('\n'))
  const prefix = `--json-stream-prefix=${qpdf.mount(join(files.streams, 'from'))}`
  const options = ['--json-output', '--json-stream-data=file', prefix, '--decode-level=generalized']
  run(files.input, ...options, `@${qpdf.mount(files.selection)}`, qpdf.mount(files.dump))
  const [, objects] = readJson(files.dump).qpdf
  for (const reference of references) {
    const stream = objects[`obj:${reference}`]?.stream
    const isDecoded = stream?.datafile !== undefined && !('/Filter' in stream.dict)
    if (isDecoded) contents.set(reference, join(files.streams, basename(stream.datafile ?? '')))
    else if (own.has(reference)) throw new QpdfFailure('content cannot be decoded')
  }
}

/** The random names of a mark among the resources of a page. */
type MarkNames = string

function markNamesOf({ '/ExtGState': states, '/XObject': pictures }: Dictionary): MarkNames {
  const stateNames = Object.keys(states ?? {})
  return (stateNames.length > 0 ? stateNames : Object.keys(pictures ?? {})).toSorted().join(' ')
}

/** @throws QpdfFailure if a page of the copy is not the page that was written */
function checkMarks({ pages }: Structure, marks: readonly MarkNames[]): void {
  const isMarked =
    pages.length === marks.length && pages.every(({ resources }, at) => markNamesOf(resources) === marks[at])
  if (!isMarked) throw new QpdfFailure('the copy has pages without a mark')
}

/** Writes the input from which `--update-from-json` makes the stamped copy. @returns what each page must have then */
async function weave(
  files: Files,
  { pages, repairs, nextObject }: Structure,
  contents: Contents,
  { markFor, openPictures }: Marker,
  random: Random,
): Promise<MarkNames[]> {
  const [header, repaired] = repairs.qpdf
  const update = createUpdateFile({ path: files.update, header, nextObject })
  const shapesFor = shapesBySize(markFor)
  const contentOf = contentIn(contents)
  let pictures: Pictures | undefined
  const picturesOf = async () => {
    pictures ??= await openPictures(files.source)
    if (pictures.count !== pages.length) throw new QpdfFailure('PDFium counts other pages')
    return pictures
  }
  try {
    const isPage = new Set(pages.map(({ reference }) => `obj:${reference}`))
    for (const [key, entry] of Object.entries(repaired)) if (!isPage.has(key)) update.set(key.slice(4), entry)
    const [firstPage] = pages
    const fonts = firstPage ? makeMarkFonts(shapesFor(firstPage), update.add, random) : []
    const marks = new Map<string, MarkNames>()
    for (const [index, page] of pages.entries()) {
      if (marks.has(page.reference)) continue
      const piecesFor = (isText: boolean) => piecesOf(shapesFor(page), moved(page, random), isText, random)
      const changes =
        wovenInto(page, contentsOf(page, contentOf), piecesFor, fonts, random, update) ??
        picturedIn(page, await (await picturesOf()).draw(index + 1), update, random)
      update.set(page.reference, { value: { ...page.dictionary, ...changes } })
      marks.set(page.reference, markNamesOf(changes['/Resources'] as Dictionary))
    }
    return pages.map(({ reference }) => marks.get(reference) ?? '')
  } finally {
    update.close()
    pictures?.close()
  }
}

const NEWLINE = Buffer.from('\n')

/** Returns the content of a page; undefined if a stream is too large or unavailable. */
function contentsOf({ contents }: PdfPage, contentOf: ContentOf): Buffer | undefined {
  const parts = contents.map(contentOf)
  return parts.includes(undefined) ? undefined : Buffer.concat(parts.flatMap((part) => (part ? [part, NEWLINE] : [])))
}

/** Moves the mark of each page by a small random offset. */
function moved({ toPage, width, height }: PdfPage, random: Random) {
  const reach = (JITTER * Math.sqrt(width * height)) / 700
  const [x, y] = [(random() * 2 - 1) * reach, (random() * 2 - 1) * reach]
  return multiply([1, 0, 0, 1, Number(number(x)), Number(number(y))], toPage)
}

/** Returns a function by which pages of about the same size share the shapes of a mark. */
function shapesBySize(markFor: Marker['markFor']): (page: PageSize) => Shape[] {
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
