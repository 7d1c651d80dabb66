import type { PdfPage } from './pdf-structure.ts'
import type { Dictionary, Value } from './pdf-values.ts'
import type { UpdateFile } from './update-file.ts'
import type { MarkFont } from './weave/mark-fonts.ts'
import { multiply } from './weave/matrix.ts'
import { namePieces, type PageNames } from './weave/page-names.ts'
import type { Piece } from './weave/pieces.ts'
import { unwrapForm } from './weave/unwrap-form.ts'
import { TEXT_STATE } from './weave/follow-page.ts'
import { follow, weavePage } from './weave/weave-page.ts'
import { number, type Random } from './weave/write-piece.ts'

/** Returns the changes that weave the pieces into the page; undefined if its content cannot be woven into. */
export function wovenInto(
  page: PdfPage,
  pageContent: Buffer | undefined,
  piecesFor: (isText: boolean) => Piece[],
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
  const followed = follow(content, { box: page.box, resources: named })
  if (!followed) return undefined
  const pieces = piecesFor(followed.isText)
  const names = namePieces(pieces, used, fonts, restoring(followed.textState), random)
  const woven = weavePage(content, followed, pieces, page.box, names, random)
  if (!woven) return undefined
  return {
    '/Contents': update.add({}, woven),
    '/Resources': withNames(resources, names),
    ...(group !== undefined && { '/Group': group }),
  }
}

/** Returns the changes that turn the page into a picture that fills it. */
export function picturedIn(
  { width, height, toPage }: PdfPage,
  picture: { width: number; height: number; jpeg: Buffer },
  update: UpdateFile,
  random: Random,
): Dictionary {
  const name = `/Im${Math.floor(random() * 1e9)}`
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
    '/Contents': update.add({}, Buffer.from(`q\n${place} cm\n${name} Do\nQ\n`)),
    '/Resources': { '/XObject': { [name]: update.add(image, picture.jpeg) } },
    '/Group': null,
  }
}

const restoring = (textState: ReadonlySet<string>): string =>
  textState.size === 0 ? '' : `${[...textState].map((operator) => `${TEXT_STATE[operator]} ${operator}`).join(' ')}\n`

const namesIn = (resources: Dictionary, kind: string): string[] => Object.keys((resources[kind] as Dictionary) ?? {})

/** Resets whatever graphics state a page with such dictionaries may have left in force, so that it does not change the mark. */
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
  const own = resources['/ExtGState'] as Dictionary
  const reset = Object.keys(own).length > 0 ? RESET : {}
  const added = [...states].map(([name, opacity]) => [name, { ...reset, '/CA': opacity, '/ca': opacity }])
  return {
    ...resources,
    '/ExtGState': { ...own, ...Object.fromEntries(added) },
    '/Font': { ...(resources['/Font'] as Dictionary), ...Object.fromEntries(fonts) },
    ...(rgbSpace && { '/ColorSpace': { ...(resources['/ColorSpace'] as Dictionary), [rgbSpace]: RGB } }),
  }
}
