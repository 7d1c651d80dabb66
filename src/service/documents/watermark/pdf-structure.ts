import type { Matrix, PageSize } from './placement.ts'
import { type Box, movedBox } from './weave/matrix.ts'
import type { PageResources } from './weave/follow-page.ts'

/** A value as qpdf writes it in JSON: names are "/Name", references "3 0 R". */
export type Value = string | number | boolean | null | Value[] | Dictionary
export interface Dictionary {
  [key: string]: Value
}
export interface Entry {
  value?: Value
  /** The data are in base64. */
  stream?: { dict: Dictionary; data?: string }
}
export interface Dump {
  qpdf: [header: Dictionary, objects: Record<string, Entry>]
}

/** A page as it is shown, turned where it is; in its own units. */
export interface PdfPage extends PageSize {
  reference: string
  /** What is shown, in user space. */
  box: Box
  /** From the page as it is shown to its user space. */
  toPage: Matrix
  /** References to the streams that are its content. */
  contents: string[]
  /** Without what would bypass or cover the mark. */
  dictionary: Dictionary
  resources: Dictionary
  /** Names that its content may use, of whatever kind. */
  usedNames: ReadonlySet<string>
  /** What the names stand for; undefined where they redefine colours, which would change the mark too. */
  named: PageResources | undefined
}

export interface Structure {
  pages: PdfPage[]
  /** What `--update-from-json` takes: the document without what would bypass or cover the mark. */
  repairs: Dump
  /** Something other than links lies on a page, where it would cover the mark. */
  isAnnotated: boolean
  /** The first object number that is free. */
  nextObject: number
}

/** What pages inherit from the nodes above them. */
const INHERITED = ['/MediaBox', '/CropBox', '/Rotate', '/Resources'] as const
/** A mark is placed in the trim box; and these hold another rendition of the page, an unmarked one. */
const DROPPED_OF_PAGES = ['/TrimBox', '/BleedBox', '/ArtBox', '/Thumb', '/PieceInfo', '/Metadata', '/AF', '/AA']
/** Portfolios and attachments are files of their own, metadata have small pictures of pages, and scripts can cover a mark. */
const DROPPED_OF_CATALOG = ['/Collection', '/AF', '/PieceInfo', '/Metadata', '/AA', '/OpenAction']
/** Templates are pages that are not shown. */
const DROPPED_OF_NAMES = ['/EmbeddedFiles', '/JavaScript', '/Pages', '/Templates', '/AlternatePresentations']
/** They carry files. */
const CARRIERS = new Set(['/FileAttachment', '/RichMedia', '/Screen', '/Movie', '/Sound', '/3D'])
const MAX_DEPTH = 100
/** Of a link, in points. */
const MAX_BORDER = 3
const LETTER: Box = [0, 0, 612, 792]

/** Reads the pages out of qpdf's dump of a document. @throws Error where there is no page tree */
export function readStructure({ qpdf: [header, objects] }: Dump): Structure {
  const resolve = (value: Value | undefined, depth = 0): Value | undefined => {
    if (typeof value !== 'string' || depth > MAX_DEPTH || !/^\d+ \d+ R$/.test(value)) return value
    return resolve(objects[`obj:${value}`]?.value, depth + 1)
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
    if (typeof reference !== 'string') throw new Error('a page is no object of its own')
    const media = boxOf(inherited['/MediaBox']) ?? LETTER
    const box = shownBox(media, boxOf(inherited['/CropBox']))
    const turns = quarterTurns(resolve(inherited['/Rotate']))
    const wanted = Number(resolve(node['/UserUnit']))
    const annotations = list(node['/Annots']).filter((each) => !isDropped(dictionary(each)))
    isAnnotated ||= annotations.some((each) => !isPlainLink(dictionary(each)))
    const resources = dictionary(inherited['/Resources'])
    pages.push({
      reference,
      box,
      ...shownAs(box, turns),
      contents: contentsOf(node['/Contents']),
      dictionary: {
        ...without(node, DROPPED_OF_PAGES),
        // A crop box alone can be taken away again.
        '/MediaBox': [...box],
        '/CropBox': [...box],
        '/Rotate': turns * 90,
        '/UserUnit': wanted > 0 ? wanted : 1,
        ...('/Annots' in node && { '/Annots': annotations }),
      },
      resources: {
        ...resources,
        '/ExtGState': dictionary(resources['/ExtGState']),
        '/Font': dictionary(resources['/Font']),
      },
      usedNames: new Set(Object.values(resources).flatMap((kind) => Object.keys(dictionary(kind)))),
      named: namedIn(resources),
    })
  }

  const isLink = (annotation: Dictionary): boolean => resolve(annotation['/Subtype']) === '/Link'
  const isPlainLink = (annotation: Dictionary): boolean => isLink(annotation) && !('/AP' in annotation)

  /** What carries a file, and links with a border so broad that it covers the mark. */
  function isDropped(annotation: Dictionary): boolean {
    const [, , border] = list(annotation['/Border']).map((each) => resolve(each))
    const widths = [border, resolve(dictionary(annotation['/BS'])['/W'])].map((width) => Number(width ?? 1))
    const isBroad = widths.some((width) => !(width <= MAX_BORDER))
    return CARRIERS.has(String(resolve(annotation['/Subtype']))) || (isLink(annotation) && isBroad)
  }

  function contentsOf(value: Value | undefined): string[] {
    const isStream = (each: Value | undefined): each is string =>
      typeof each === 'string' && objects[`obj:${each}`]?.stream !== undefined
    return isStream(value) ? [value] : list(value).filter(isStream)
  }

  function namedIn(resources: Dictionary): PageResources | undefined {
    const states = dictionary(resources['/ExtGState'])
    const changesColours =
      Object.keys(dictionary(resources['/ColorSpace'])).some((name) => name.startsWith('/Default')) ||
      Object.values(states).some((state) => ['/TR', '/TR2'].some((key) => key in dictionary(state)))
    if (changesColours) return undefined
    const [fonts, xobjects] = [dictionary(resources['/Font']), dictionary(resources['/XObject'])]
    return {
      isType3: (font) => resolve(dictionary(fonts[font])['/Subtype']) === '/Type3',
      lineWidthOf(state) {
        const width = resolve(dictionary(states[state])['/LW'])
        return typeof width === 'number' ? width : undefined
      },
      paintedBy: (xobject) => paintedBy(xobjects[xobject]),
    }
  }

  function paintedBy(reference: Value | undefined): Box | undefined {
    const stream = typeof reference === 'string' ? objects[`obj:${reference}`]?.stream?.dict : undefined
    if (!stream) return undefined
    if (resolve(stream['/Subtype']) === '/Image') return [0, 0, 1, 1]
    const box = boxOf(stream['/BBox'])
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = list(stream['/Matrix']).map((each) => Number(resolve(each)))
    return box && movedBox(box, [a, b, c, d, e, f])
  }

  visit(catalog['/Pages'] ?? null, {}, new Set())
  if (pages.length === 0) throw new Error('the document has no pages')
  const repaired: Record<string, Entry> = Object.fromEntries(
    pages.map((page) => [`obj:${page.reference}`, { value: { ...page.dictionary, '/Resources': page.resources } }]),
  )
  if (typeof root === 'string') repaired[`obj:${root}`] = { value: repairCatalog(catalog, dictionary) }
  const nextObject =
    Object.keys(objects).reduce((last, key) => Math.max(last, Number(/\d+/.exec(key)?.[0] ?? 0)), 0) + 1
  return { pages, repairs: { qpdf: [header, repaired] }, isAnnotated, nextObject }
}

/** A page of a box, turned clockwise by so many right angles. */
function shownAs([left, bottom, right, top]: Box, turns: number): PageSize & { toPage: Matrix } {
  const [width, height] = [right - left, top - bottom]
  if (turns === 0) return { width, height, toPage: [1, 0, 0, 1, left, bottom] }
  if (turns === 1) return { width: height, height: width, toPage: [0, 1, -1, 0, right, bottom] }
  if (turns === 2) return { width, height, toPage: [-1, 0, 0, -1, right, top] }
  return { width: height, height: width, toPage: [0, -1, 1, 0, left, top] }
}

function repairCatalog(catalog: Dictionary, dictionary: (value: Value | undefined) => Dictionary): Dictionary {
  const kept = without(catalog, DROPPED_OF_CATALOG)
  if ('/Names' in kept) kept['/Names'] = without(dictionary(kept['/Names']), DROPPED_OF_NAMES)
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
