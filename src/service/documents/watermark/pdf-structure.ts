import type { PageSize } from './placement.ts'

/** A value as qpdf writes it in JSON: names are "/Name", references "3 0 R". */
type Value = string | number | boolean | null | Value[] | Dictionary
interface Dictionary {
  [key: string]: Value
}
interface Entry {
  value?: Value
  stream?: { dict: Dictionary }
}
export interface Dump {
  qpdf: [header: Dictionary, objects: Record<string, Entry>]
}

export interface PdfPage extends PageSize {
  /** Points that one unit stands for. */
  userUnit: number
}

export interface Structure {
  /** As they are shown, turned where they are; in their own units. */
  pages: PdfPage[]
  /** What `--update-from-json` takes: the document without what would bypass or cover the mark. */
  repairs: Dump
  /** Something other than links lies on a page, where it would cover the mark. */
  isAnnotated: boolean
}

/** What pages inherit from the nodes above them. */
const INHERITED = ['/MediaBox', '/CropBox', '/Rotate'] as const
/** A mark is placed in the trim box; and these hold another rendition of the page, an unmarked one. */
const DROPPED_OF_PAGES = ['/TrimBox', '/BleedBox', '/ArtBox', '/Thumb', '/PieceInfo', '/AF']
/** Portfolios and attachments are files of their own. */
const DROPPED_OF_CATALOG = ['/Collection', '/AF', '/PieceInfo']
/** They carry files. */
const CARRIERS = new Set(['/FileAttachment', '/RichMedia', '/Screen', '/Movie', '/Sound', '/3D'])
const MAX_DEPTH = 100
const LETTER: Box = [0, 0, 612, 792]

type Box = [left: number, bottom: number, right: number, top: number]

/** Reads the pages out of qpdf's dump of a document. @throws Error where there is no page tree */
export function readStructure({ qpdf: [header, objects] }: Dump): Structure {
  const repaired: Record<string, Entry> = {}
  const resolve = (value: Value | undefined, depth = 0): Value | undefined => {
    if (typeof value !== 'string' || depth > MAX_DEPTH || !/^\d+ \d+ R$/.test(value)) return value
    const entry = repaired[`obj:${value}`] ?? objects[`obj:${value}`]
    return resolve(entry?.value, depth + 1)
  }
  const dictionary = (value: Value | undefined): Dictionary => {
    const found = resolve(value)
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : {}
  }
  const list = (value: Value | undefined): Value[] => {
    const found = resolve(value)
    return Array.isArray(found) ? found : []
  }
  const boxOf = (value: Value | undefined): Box | undefined => {
    const numbers = list(value).map((each) => resolve(each))
    const [a, b, c, d] = numbers
    if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number')
      return undefined
    return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]
  }

  const trailer = objects['trailer']?.value ?? null
  const root = dictionary(trailer)['/Root']
  const catalog = dictionary(root)
  const pages: PdfPage[] = []
  let isAnnotated = false

  function visit(reference: Value, above: Dictionary, path: ReadonlySet<Value>): void {
    if (path.has(reference) || path.size > MAX_DEPTH) return
    const node = dictionary(reference)
    const inherited = { ...above, ...pick(node, INHERITED) }
    const kids = list(node['/Kids'])
    if (node['/Type'] !== '/Page' && '/Kids' in node) {
      for (const kid of kids) visit(kid, inherited, new Set([...path, reference]))
    } else addPage(reference, node, inherited)
  }

  function addPage(reference: Value, node: Dictionary, inherited: Dictionary): void {
    const media = boxOf(inherited['/MediaBox']) ?? LETTER
    const shown = shownBox(media, boxOf(inherited['/CropBox']))
    const rotation = quarterTurns(resolve(inherited['/Rotate'])) * 90
    const [width, height] = [shown[2] - shown[0], shown[3] - shown[1]]
    const wanted = Number(resolve(node['/UserUnit']))
    const userUnit = wanted > 0 ? wanted : 1
    pages.push(rotation % 180 === 0 ? { width, height, userUnit } : { width: height, height: width, userUnit })
    const annotations = list(node['/Annots']).filter(
      (each) => !CARRIERS.has(String(resolve(dictionary(each)['/Subtype']))),
    )
    isAnnotated ||= annotations.some((each) => resolve(dictionary(each)['/Subtype']) !== '/Link')
    const kept = without(node, DROPPED_OF_PAGES)
    // A crop box alone can be taken away again.
    const page = { ...kept, '/MediaBox': shown, '/CropBox': shown, '/Rotate': rotation, '/UserUnit': userUnit }
    repaired[`obj:${String(reference)}`] = { value: '/Annots' in node ? { ...page, '/Annots': annotations } : page }
  }

  visit(catalog['/Pages'] ?? null, {}, new Set())
  if (pages.length === 0) throw new Error('the document has no pages')
  if (typeof root === 'string') repaired[`obj:${root}`] = { value: repairCatalog(catalog, dictionary) }
  return { pages, repairs: { qpdf: [header, repaired] }, isAnnotated }
}

function repairCatalog(catalog: Dictionary, dictionary: (value: Value | undefined) => Dictionary): Dictionary {
  const kept = without(catalog, DROPPED_OF_CATALOG)
  if ('/Names' in kept) kept['/Names'] = without(dictionary(kept['/Names']), ['/EmbeddedFiles'])
  // Readers that know XFA show that instead of the pages.
  if ('/AcroForm' in kept) kept['/AcroForm'] = without(dictionary(kept['/AcroForm']), ['/XFA'])
  return without(kept, ['/NeedsRendering'])
}

/** Readers differ in what is none: here it is what the page images show. */
function quarterTurns(rotation: Value | undefined): number {
  const turns = Math.trunc((Number(rotation) || 0) / 90) % 4
  return turns < 0 ? turns + 4 : turns
}

/** What is shown of a page: the part of the crop box that lies in the media box. */
function shownBox(media: Box, crop: Box | undefined): Box {
  const whole = isBox(media) ? media : LETTER
  if (!crop) return whole
  const cut: Box = [
    Math.max(whole[0], crop[0]),
    Math.max(whole[1], crop[1]),
    Math.min(whole[2], crop[2]),
    Math.min(whole[3], crop[3]),
  ]
  return isBox(cut) ? cut : whole
}

const isBox = ([left, bottom, right, top]: Box): boolean => right - left > 0 && top - bottom > 0

function pick(from: Dictionary, keys: readonly string[]): Dictionary {
  return Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key)))
}

function without(from: Dictionary, keys: readonly string[]): Dictionary {
  return Object.fromEntries(Object.entries(from).filter(([key]) => !keys.includes(key)))
}
