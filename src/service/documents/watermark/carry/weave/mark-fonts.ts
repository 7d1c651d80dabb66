import type { Dictionary } from '../pdf-values.ts'
import { type Contour, chunksOf, type Shape } from './pieces.ts'
import { mostUnits, type Point, trueTypeFont } from '../../../fonts/truetype.ts'
import type { Random } from './write-piece.ts'

/** A font whose glyphs are parts of the lines of a mark, each at its place in the line. */
export interface MarkFont {
  reference: string
  /** The lines as strings of this font, in hexadecimal. */
  lines: readonly string[]
}

type Add = (dictionary: Dictionary, content?: Buffer) => string

/** Enough fonts that one can be removed, and that no page uses all of them. */
const FONTS = 4
const CONTOURS_OF_A_GLYPH = 12

/** Makes fonts of the strewn lines. Glyph numbers, units and outlines differ from font to font. */
export function makeMarkFonts(shapes: readonly Shape[], add: Add, random: Random): MarkFont[] {
  const lines = shapes.filter(({ isStrewn }) => isStrewn).map(({ parts }) => parts.flatMap(({ contours }) => contours))
  return Array.from({ length: FONTS }, () => makeFont(lines, add, random))
}

function makeFont(lines: readonly (readonly Contour[])[], add: Add, random: Random): MarkFont {
  const chunks = lines.flatMap((contours, line) =>
    chunksOf(contours, CONTOURS_OF_A_GLYPH).map((chunk) => ({ chunk, line, at: random() })),
  )
  // Shuffle the glyphs. Their order within a line does not matter, because they have no width.
  const glyphs = chunks.toSorted((a, b) => a.at - b.at)
  const widest = Math.max(1, ...glyphs.flatMap(({ chunk }) => chunk.flat().map(Math.abs)))
  const units = Math.min(mostUnits(widest), 300 + Math.round(random() * 400))
  const file = trueTypeFont(
    glyphs.map(({ chunk }) => ({ contours: chunk.map(pointsOf), advance: 0 })),
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
    '/ToUnicode': add({}, TO_SPACES),
  }
  const codes = (line: number) => glyphs.flatMap((glyph, index) => (glyph.line === line ? [index + 1] : []))
  return { reference: add(font), lines: lines.map((_, line) => codes(line).map(hex).join('')) }
}

/** Glyphs have no width and straight lines. */
const pointsOf = (contour: Contour): Point[] =>
  Array.from({ length: contour.length / 2 }, (_, at) => [contour[at * 2] ?? 0, contour[at * 2 + 1] ?? 0, true])

const hex = (code: number): string => code.toString(16).padStart(4, '0')
const letter = (random: Random): string => String.fromCharCode(65 + Math.floor(random() * 26))
const STYLES = ['Calibri', 'ArialMT', 'Helvetica', 'TimesNewRomanPSMT', 'Cambria', 'LiberationSans']

/** Maps all glyphs to spaces, so that text copied from the document or read aloud has blanks where the mark is. */
const TO_SPACES = Buffer.from(`/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
${Array.from({ length: 4 }, (_, block) => {
  const rows = Array.from({ length: 100 }, (_row, at) => `<${hex(block * 100 + at)}> <0020>`)
  return `${rows.length} beginbfchar\n${rows.join('\n')}\nendbfchar`
}).join('\n')}
endcmap CMapName currentdict /CMap defineresource pop end end`)
