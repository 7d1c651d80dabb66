import type { Matrix, PageSize } from '../plan/placement.ts'
import { type ContentOf, createNaming, type Named } from './pdf-resources.ts'
import { createValues, type Dictionary, type Dump, type Entry, type Value } from './pdf-values.ts'
import type { Box } from './weave/matrix.ts'

/** A page as shown, with its rotation; in its own units. */
export interface PdfPage extends PageSize, Named {
  reference: string
  /** The visible part, in user space. */
  box: Box
  /** Maps the page as shown to its user space. */
  toPage: Matrix
  /** References to the content streams. */
  contents: string[]
  /** The dictionary of the page without entries that would bypass or cover the mark. */
  dictionary: Dictionary
}

export interface Structure {
  pages: PdfPage[]
  /** Input of `--update-from-json` that removes whatever would bypass or cover the mark. */
  repairs: Dump
  /** References to small forms that the pages draw. */
  forms: string[]
  /** A page has annotations other than links, which would cover the mark. */
  isAnnotated: boolean
  /** Readers with XFA support make the pages of the form themselves; those in the document only ask to wait. */
  isDynamicForm: boolean
  /** The document has object streams. */
  isPacked: boolean
  /** The first free object number. */
  nextObject: number
}

/** Entries that pages inherit from the nodes above them. */
const INHERITED = ['/MediaBox', '/CropBox', '/Rotate', '/Resources'] as const
/** The mark is placed in the crop box alone, and the other entries may hold another, unmarked rendition. */
const DROPPED_OF_PAGES = ['/TrimBox', '/BleedBox', '/ArtBox', '/Thumb', '/PieceInfo', '/Metadata', '/AF', '/AA']
/** Portfolios and attachments are files, metadata contain small pictures of pages, and scripts can cover a mark. */
const DROPPED_OF_CATALOG = ['/Collection', '/AF', '/PieceInfo', '/Metadata', '/AA', '/OpenAction']
/** Templates are hidden pages. */
const DROPPED_OF_NAMES = ['/EmbeddedFiles', '/JavaScript', '/Pages', '/Templates', '/AlternatePresentations']
/** Annotations that carry files. */
const CARRIERS = new Set(['/FileAttachment', '/RichMedia', '/Screen', '/Movie', '/Sound', '/3D'])
const MAX_DEPTH = 100
/** Matches a string as qpdf writes it in JSON, with the prefix "u:". */
const HARMLESS_ADDRESS = /^u:(?:https?|mailto):/i
/** Border of a link, in points. */
const MAX_BORDER = 3
const LETTER: Box = [0, 0, 612, 792]

/** Limits on examining forms, so that a transparent form as large as the page does not count as hiding it. */
const MAX_FORM_BYTES = 1024 * 1024
const MAX_FORMS_OF_A_PAGE = 8

/**
 * Reads the pages from qpdf's dump of a document. Streams are read only when a page is examined.
 * @throws Error if there is no page tree
 */
export function readStructure({ qpdf: [header, objects] }: Dump, contentOf: ContentOf): Structure {
  const values = createValues(objects)
  const { resolve, dictionary, list, boxOf, streamOf } = values
  const namedIn = createNaming(values, contentOf)
  const trailer = objects['trailer']?.value ?? null
  const root = dictionary(trailer)['/Root']
  const catalog = dictionary(root)
  const pages: PdfPage[] = []
  const forms = new Set<string>()
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
        // Set the media box as well, because a crop box alone could be removed again.
        '/MediaBox': [...box],
        '/CropBox': [...box],
        '/Rotate': turns * 90,
        '/UserUnit': wanted > 0 ? wanted : 1,
        ...('/Annots' in node && { '/Annots': annotations }),
      },
      ...namedIn(resources),
    })
    addForms(resources)
  }

  const isLink = (annotation: Dictionary): boolean => resolve(annotation['/Subtype']) === '/Link'
  const isPlainLink = (annotation: Dictionary): boolean => isLink(annotation) && !('/AP' in annotation)

  /** Whether an annotation carries a file, or is a link with a harmful target or a border that would cover the mark. */
  function isDropped(annotation: Dictionary): boolean {
    const [, , border] = list(annotation['/Border']).map((each) => resolve(each))
    const widths = [border, resolve(dictionary(annotation['/BS'])['/W'])].map((width) => Number(width ?? 1))
    const isBroad = widths.some((width) => !(width <= MAX_BORDER))
    if (!isLink(annotation)) return CARRIERS.has(String(resolve(annotation['/Subtype'])))
    return isBroad || !leadsSomewhereHarmless(annotation)
  }

  /** Whether a link leads to a page of this document or a web or mail address, and runs, opens or sends nothing. */
  function leadsSomewhereHarmless(link: Dictionary): boolean {
    if ('/AA' in link || '/PA' in link) return false
    if (!('/A' in link)) return true
    const action = dictionary(link['/A'])
    const kind = resolve(action['/S'])
    if ('/Next' in action) return false
    return kind === '/GoTo' || (kind === '/URI' && HARMLESS_ADDRESS.test(String(resolve(action['/URI']))))
  }

  function contentsOf(value: Value | undefined): string[] {
    const isStream = (each: Value | undefined): each is string =>
      typeof each === 'string' && objects[`obj:${each}`]?.stream !== undefined
    return isStream(value) ? [value] : list(value).filter(isStream)
  }

  function addForms(resources: Dictionary, depth = 0): void {
    for (const reference of Object.values(dictionary(resources['/XObject'])).slice(0, MAX_FORMS_OF_A_PAGE)) {
      const stream = streamOf(reference)
      const isForm =
        stream && resolve(stream['/Subtype']) === '/Form' && Number(resolve(stream['/Length'])) <= MAX_FORM_BYTES
      if (!isForm || typeof reference !== 'string' || forms.has(reference)) continue
      forms.add(reference)
      if (depth < 3) addForms(dictionary(stream['/Resources']), depth + 1)
    }
  }

  visit(catalog['/Pages'] ?? null, {}, new Set())
  if (pages.length === 0) throw new Error('the document has no pages')
  const repaired: Record<string, Entry> = Object.fromEntries(
    pages.map((page) => [`obj:${page.reference}`, { value: { ...page.dictionary, '/Resources': page.resources } }]),
  )
  if (typeof root === 'string') repaired[`obj:${root}`] = { value: repairCatalog(catalog, dictionary) }
  const nextObject =
    Object.keys(objects).reduce((last, key) => Math.max(last, Number(/\d+/.exec(key)?.[0] ?? 0)), 0) + 1
  const isPacked = Object.values(objects).some(({ stream }) => resolve(stream?.dict['/Type']) === '/ObjStm')
  const isDynamicForm = '/XFA' in dictionary(catalog['/AcroForm']) && resolve(catalog['/NeedsRendering']) === true
  const repairs: Dump = { qpdf: [header, repaired] }
  return { pages, forms: [...forms], repairs, isAnnotated, isDynamicForm, isPacked, nextObject }
}

/** Returns the size of a box as a page turned clockwise by `turns` right angles, and the matrix to its user space. */
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
  // Readers with XFA support would show the XFA form instead of the pages, which have the values of a static form too.
  if ('/AcroForm' in kept) kept['/AcroForm'] = without(dictionary(kept['/AcroForm']), ['/XFA'])
  return without(kept, ['/NeedsRendering'])
}

/** Readers disagree about invalid rotations; this follows the page images. */
function quarterTurns(rotation: Value | undefined): number {
  const turns = Math.trunc((Number(rotation) || 0) / 90) % 4
  return turns < 0 ? turns + 4 : turns
}

/** Returns the visible part of a page: the part of the crop box that lies in the media box. */
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
