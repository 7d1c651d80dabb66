import type { Dictionary } from '../pdf-values.ts'
import { HALO_WIDTH, type Layer } from '../../plan/placement.ts'
import { boxOf, type Contour, chunksOf, type Shape } from './pieces.ts'
import { mostUnits, type Point, trueTypeFont } from '../../../fonts/truetype.ts'
import type { Random } from './write-piece.ts'

/** A font whose glyphs are stretches of the lines of a mark. */
export interface MarkFont {
  reference: string
  /** How the font draws the parts of each line. */
  lines: readonly (readonly Drawn[])[]
}

/** A part of a line as glyphs, whose place is `y` above that of the line. */
export interface Drawn {
  y: number
  halo: readonly GlyphAt[]
  letters: readonly GlyphAt[]
}

/** A glyph of a font. `back` is the way from it to the one before, in thousandths of an em, as `TJ` takes it. */
export interface GlyphAt {
  back: number
  code: string
}

type Add = (dictionary: Dictionary, content?: Buffer) => string

/** Enough fonts that one can be removed. A page uses one, because readers open the fonts of each page anew. */
const FONTS = 4
/**
 * Readers keep up to eight drawn glyphs of one size, which these are on most marks. They skip the empty corners of a
 * glyph pixel by pixel, so that a whole line at an angle would take them longer.
 */
const GLYPHS_OF_A_LINE = 2
/** The most contours of a glyph. */
const CONTOURS_OF_A_GLYPH = 40
/** The places around a letter, in ems, at which copies of it make its halo. */
const AROUND = [-1, 1].flatMap((x) => [-1, 1].map((y) => [x, y].map((side) => side * HALO_WIDTH * Math.SQRT1_2)))

/** A glyph at its place in a line. */
interface Stretch {
  contours: readonly Contour[]
  part: Shape['parts'][number]
  isHalo: boolean
  x: number
}

/** Makes fonts of a mark. Glyph numbers, units and outlines differ from font to font. */
export function makeMarkFonts(shapes: readonly Shape[], add: Add, random: Random): MarkFont[] {
  const stretches = shapes.flatMap(({ layer, parts }) => parts.flatMap((part) => stretchesOf(part, layer)))
  return Array.from({ length: FONTS }, () => makeFont(shapes, stretches, add, random))
}

/** Glyphs begin at their own left, because a font with a small box has its drawn glyphs kept. */
function stretchesOf(part: Stretch['part'], { haloIs }: Layer): Stretch[] {
  const most = haloIs === 'shadow' ? Math.ceil(part.contours.length / GLYPHS_OF_A_LINE) : CONTOURS_OF_A_GLYPH
  const halo = part.coarse.flatMap((contour) => AROUND.map(([x = 0, y = 0]) => movedContour(contour, x, y)))
  const all = [
    ...chunksOf(part.contours, Math.min(most, CONTOURS_OF_A_GLYPH)).map((contours) => ({ contours, isHalo: false })),
    ...(haloIs === 'around' ? [{ contours: halo, isHalo: true }] : []),
  ]
  return all.map(({ contours, isHalo }) => {
    const [x] = boxOf(contours)
    return { contours: contours.map((each) => movedContour(each, -x, -part.box[1])), part, isHalo, x }
  })
}

const movedContour = (contour: Contour, dx: number, dy: number): Contour =>
  contour.map((value, at) => value + (at % 2 === 0 ? dx : dy))

function makeFont(shapes: readonly Shape[], stretches: readonly Stretch[], add: Add, random: Random): MarkFont {
  const glyphs = stretches.map((each) => ({ ...each, at: random() })).toSorted((a, b) => a.at - b.at)
  const widest = Math.max(1, ...glyphs.flatMap(({ contours }) => contours.flat().map(Math.abs)))
  const units = Math.min(mostUnits(widest), 300 + Math.round(random() * 400))
  const file = trueTypeFont(
    glyphs.map(({ contours }) => ({ contours: contours.map(pointsOf), advance: 0 })),
    units,
  )
  const name = `/${Array.from({ length: 6 }, () => letter(random)).join('')}+${STYLES[Math.floor(random() * STYLES.length)]}`
  const descriptor = {
    '/Type': '/FontDescriptor',
    '/FontName': name,
    '/Flags': 4,
    '/FontBBox': [-1000, -1000, Math.ceil(widest * 1000), 1000],
    '/ItalicAngle': 0,
    '/Ascent': 1000,
    '/Descent': -250,
    '/CapHeight': 700,
    '/StemV': 80,
    '/FontFile2': add({ '/Length1': file.length }, file),
  }
  const descendant = {
    '/Type': '/Font',
    '/Subtype': '/CIDFontType2',
    '/BaseFont': name,
    '/CIDSystemInfo': { '/Registry': 'u:Adobe', '/Ordering': 'u:Identity', '/Supplement': 0 },
    '/CIDToGIDMap': '/Identity',
    '/DW': 0,
    '/W': [0, glyphs.length + 1, 0],
    '/FontDescriptor': add(descriptor),
  }
  const font = {
    '/Type': '/Font',
    '/Subtype': '/Type0',
    '/BaseFont': name,
    '/Encoding': '/Identity-H',
    '/DescendantFonts': [add(descendant)],
    '/ToUnicode': add({}, toSpaces(glyphs.length)),
  }
  const drawn = (part: Stretch['part'], isHalo: boolean): GlyphAt[] => {
    let from = 0
    return glyphs.flatMap((glyph, index) => {
      if (glyph.part !== part || glyph.isHalo !== isHalo) return []
      const back = (from - glyph.x) * 1000
      from = glyph.x
      return [{ back, code: hex(index + 1) }]
    })
  }
  const lines = shapes.map(({ layer, parts }) =>
    parts.map((part) => ({
      y: part.box[1],
      halo: drawn(part, layer.haloIs === 'around'),
      letters: drawn(part, false),
    })),
  )
  return { reference: add(font), lines }
}

/** Glyphs have no width and straight lines. */
const pointsOf = (contour: Contour): Point[] =>
  Array.from({ length: contour.length / 2 }, (_, at) => [contour[at * 2] ?? 0, contour[at * 2 + 1] ?? 0, true])

const hex = (code: number): string => code.toString(16).padStart(4, '0')
const letter = (random: Random): string => String.fromCharCode(65 + Math.floor(random() * 26))
const STYLES = ['Calibri', 'ArialMT', 'Helvetica', 'TimesNewRomanPSMT', 'Cambria', 'LiberationSans']

/**
 * Maps all glyphs to spaces, so that text copied from the document or read aloud has blanks where the mark is. Has no
 * more rows than needed, because readers parse them on every page.
 */
function toSpaces(glyphs: number): Buffer {
  const rows = Array.from({ length: glyphs }, (_, at) => `<${hex(at + 1)}> <0020>`)
  const blocks = Array.from({ length: Math.ceil(glyphs / ROWS) }, (_, at) => rows.slice(at * ROWS, (at + 1) * ROWS))
  return Buffer.from(`/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
${blocks.map((block) => `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`).join('\n')}
endcmap CMapName currentdict /CMap defineresource pop end end`)
}

/** The most rows of a block in a character map. */
const ROWS = 100
