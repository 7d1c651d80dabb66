import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  type ContentOf,
  type Dictionary,
  type Dump,
  type PdfPage,
  readStructure,
  type Structure,
  type Value,
} from './pdf-structure.ts'
import type { Mark, PageSize } from './placement.ts'
import { type ExitCode, openQpdf, type Qpdf } from './qpdf.ts'
import { createUpdateFile, type UpdateFile } from './update-file.ts'
import { multiply } from './weave/matrix.ts'
import { makeMarkFonts, type MarkFont } from './weave/mark-fonts.ts'
import { namePieces, type PageNames } from './weave/page-names.ts'
import { type Piece, piecesOf, type Shape, shapesOf } from './weave/pieces.ts'
import { unwrapForm } from './weave/unwrap-form.ts'
import { MAX_FOLLOWED, weavePage } from './weave/weave-page.ts'
import { number, type Random } from './weave/write-piece.ts'

/** qpdf cannot process the document. */
export class QpdfFailure extends Error {}

export interface Stamped {
  /** Number of pages. */
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

interface Files {
  source: string
  /** qpdf's path of the source. */
  input: string
  target: string
  dump: string
  update: string
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
 * @throws QpdfFailure
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
    flat: `${work}.flat.pdf`,
    selection: `${work}.selection.txt`,
    streams: `${work}.streams`,
  }
  const files: Files = { source, input: qpdf.open(source), target, ...made }
  mkdirSync(files.streams, { recursive: true })
  try {
    let opened = readDump(qpdf, run, files)
    if (opened.structure.isAnnotated) {
      flatten(qpdf, run, files, opened.structure)
      files.source = files.flat
      files.input = qpdf.open(files.flat)
      opened = readDump(qpdf, run, files)
    }
    const { structure, contents } = opened
    readContents(qpdf, run, files, structure, contents)
    await weave(files, structure, contents, marker, random)
    run(
      files.input,
      '--decrypt',
      '--remove-restrictions',
      `--update-from-json=${qpdf.open(files.update)}`,
      qpdf.mount(target),
    )
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
  const options = ['--decrypt', '--remove-restrictions', `--update-from-json=${qpdf.open(update)}`, ...appearances]
  run(input, ...options, qpdf.mount(flat))
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

/** Writes the input from which `--update-from-json` makes the stamped copy. */
async function weave(
  files: Files,
  { pages, repairs, nextObject }: Structure,
  contents: Contents,
  { markFor, openPictures }: Marker,
  random: Random,
): Promise<void> {
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
    const done = new Set<string>()
    for (const [index, page] of pages.entries()) {
      if (done.has(page.reference)) continue
      done.add(page.reference)
      const pieces = piecesOf(shapesFor(page), moved(page, random), random)
      const changes =
        wovenInto(page, contentsOf(page, contentOf), pieces, fonts, random, update) ??
        picturedIn(page, await (await picturesOf()).draw(index + 1), update)
      update.set(page.reference, { value: { ...page.dictionary, ...changes } })
    }
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

function wovenInto(
  page: PdfPage,
  pageContent: Buffer | undefined,
  pieces: readonly Piece[],
  fonts: readonly MarkFont[],
  random: Random,
  update: UpdateFile,
): Dictionary | undefined {
  if (!pageContent) return undefined
  const unwrapped = unwrapForm({ ...page, content: pageContent, group: page.dictionary['/Group'] })
  if (!unwrapped) return undefined
  const { content, named, usedNames, resources, redefinesRgb, group } = unwrapped
  const used = {
    states: namesIn(resources, '/ExtGState'),
    fonts: namesIn(resources, '/Font'),
    all: usedNames,
    redefinesRgb,
  }
  const names = namePieces(pieces, used, fonts, random)
  const woven = weavePage(content, pieces, { box: page.box, resources: named }, names, random)
  if (!woven) return undefined
  return {
    '/Contents': update.add({}, woven),
    '/Resources': withNames(resources, names),
    ...(group !== undefined && { '/Group': group }),
  }
}

/** Returns the changes that turn the page into a picture that fills it. */
function picturedIn(
  { width, height, toPage }: PdfPage,
  picture: { width: number; height: number; jpeg: Buffer },
  update: UpdateFile,
): Dictionary {
  const image = {
    '/Type': '/XObject',
    '/Subtype': '/Image',
    '/Width': picture.width,
    '/Height': picture.height,
    '/ColorSpace': '/DeviceRGB',
    '/BitsPerComponent': 8,
    '/Filter': '/DCTDecode',
  }
  const place = multiply([width, 0, 0, height, 0, 0], toPage).map(number).join(' ')
  return {
    '/Contents': update.add({}, Buffer.from(`q\n${place} cm\n/Im0 Do\nQ\n`)),
    '/Resources': { '/XObject': { '/Im0': update.add(image, picture.jpeg) } },
    '/Group': null,
  }
}

const namesIn = (resources: Dictionary, kind: string): string[] => Object.keys((resources[kind] as Dictionary) ?? {})

/** Resets whatever graphics state the page may have left in force, so that it does not change the mark. */
const RESET: Dictionary = {
  '/Type': '/ExtGState',
  '/BM': '/Normal',
  '/SMask': '/None',
  '/AIS': false,
  '/OP': false,
  '/op': false,
  '/OPM': 0,
  '/TK': true,
  '/TR2': '/Default',
  '/HT': '/Default',
}

/** Red, green and blue as screens show them, unaffected by `/DefaultRGB`. */
const RGB: Value[] = [
  '/CalRGB',
  {
    '/WhitePoint': [0.9505, 1, 1.089],
    '/Gamma': [2.2, 2.2, 2.2],
    '/Matrix': [0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505],
  },
]

function withNames(resources: Dictionary, { states, fonts, rgbSpace }: PageNames): Dictionary {
  const added = [...states].map(([name, opacity]) => [name, { ...RESET, '/CA': opacity, '/ca': opacity }])
  return {
    ...resources,
    '/ExtGState': { ...(resources['/ExtGState'] as Dictionary), ...Object.fromEntries(added) },
    '/Font': { ...(resources['/Font'] as Dictionary), ...Object.fromEntries(fonts) },
    ...(rgbSpace && { '/ColorSpace': { ...(resources['/ColorSpace'] as Dictionary), [rgbSpace]: RGB } }),
  }
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
