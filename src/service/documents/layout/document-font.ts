import { loadFont } from '../fonts/fonts.ts'
import { type GlyphOutline, type Point, trueTypeFont } from '../fonts/truetype.ts'
import type { PdfFile } from '../pdf-file.ts'

/** The one font of a document. It has the glyphs of all shipped fonts that the text uses, numbered from 1. */
export interface DocumentFont {
  /** Returns the number of a glyph that stands for this text when text is searched and copied. */
  numberOf(font: number, glyph: number, text: string): number
  /** The advance in ems that readers apply by themselves. */
  advanceOf(number: number): number
  /** Writes the font as the objects `first` to `first + OBJECTS - 1`; the first is the font itself. */
  write(pdf: PdfFile, first: number): void
}

export const FONT_OBJECTS = 5
const UNITS = 2048
/** Glyph numbers have 16 bits. Text beyond that is blank. */
const MAX_GLYPHS = 65_000
const NAME = '/AAAAAA+Strongroom'

interface Glyph extends GlyphOutline {
  text: string
}

export function createDocumentFont(): DocumentFont {
  const numbers = new Map<string, number>()
  const glyphs: Glyph[] = []
  return {
    numberOf(font, glyph, text) {
      const key = `${font}/${glyph}/${text}`
      const known = numbers.get(key)
      if (known !== undefined) return known
      if (glyphs.length >= MAX_GLYPHS) return 0
      const number = glyphs.push({ ...outlineOf(font, glyph), text })
      numbers.set(key, number)
      return number
    },
    advanceOf: (number) => glyphs[number - 1]?.advance ?? 0,
    write(pdf, first) {
      const file = trueTypeFont(glyphs, UNITS)
      const widths = glyphs.map(({ advance }) => Math.round(advance * 1000)).join(' ')
      const [font, descendant, descriptor, data, unicode] = [0, 1, 2, 3, 4].map((at) => first + at)
      pdf.object(
        font ?? 0,
        `<</Type/Font/Subtype/Type0/BaseFont${NAME}/Encoding/Identity-H/DescendantFonts[${descendant} 0 R]/ToUnicode ${unicode} 0 R>>`,
      )
      pdf.object(
        descendant ?? 0,
        `<</Type/Font/Subtype/CIDFontType2/BaseFont${NAME}/CIDToGIDMap/Identity/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor ${descriptor} 0 R/DW 0/W[1[${widths}]]>>`,
      )
      pdf.object(
        descriptor ?? 0,
        `<</Type/FontDescriptor/FontName${NAME}/Flags 4/FontBBox[-1000 -1000 3000 2000]/ItalicAngle 0/Ascent 950/Descent -300/CapHeight 714/StemV 80/FontFile2 ${data} 0 R>>`,
      )
      pdf.stream(data ?? 0, file, `/Length1 ${file.length}`)
      pdf.stream(unicode ?? 0, toUnicode(glyphs))
    },
  }
}

function outlineOf(number: number, glyph: number): GlyphOutline {
  const { font, upem } = loadFont(number)
  return { contours: contoursOf(font.glyphToPath(glyph), upem), advance: font.glyphHAdvance(glyph) / upem }
}

/** Reads a path of lines and curves; cubic curves become quadratic ones, two of each. */
function contoursOf(path: string, upem: number): Point[][] {
  const contours: Point[][] = []
  let [x, y] = [0, 0]
  for (const [, kind, values = ''] of path.matchAll(/([MLQCZ])([^MLQCZ]*)/g)) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = values
      .split(/[ ,]+/)
      .filter(Boolean)
      .map((value) => Number(value) / upem)
    const contour = contours.at(-1)
    if (kind === 'M') contours.push([[a, b, true]])
    else if (kind === 'L') contour?.push([a, b, true])
    else if (kind === 'Q') contour?.push([a, b, false], [c, d, true])
    else if (kind === 'C') contour?.push(...quadratics([x, y, a, b, c, d, e, f]))
    if (kind === 'C') [x, y] = [e, f]
    else if (kind === 'Q') [x, y] = [c, d]
    else if (kind !== 'Z') [x, y] = [a, b]
  }
  return contours.map(withoutClosing).filter((contour) => contour.length > 2)
}

type Cubic = [number, number, number, number, number, number, number, number]

function quadratics([x0, y0, x1, y1, x2, y2, x3, y3]: Cubic): Point[] {
  const middle = (a: number, b: number, c: number, d: number) => (a + 3 * b + 3 * c + d) / 8
  const control = (a: number, b: number, c: number, d: number) => (9 * a + 21 * b + 3 * c - d) / 32
  const [mx, my] = [middle(x0, x1, x2, x3), middle(y0, y1, y2, y3)]
  return [
    [control(x0, x1, x2, x3), control(y0, y1, y2, y3), false],
    [mx, my, true],
    [control(x3, x2, x1, x0), control(y3, y2, y1, y0), false],
    [x3, y3, true],
  ]
}

function withoutClosing(contour: Point[]): Point[] {
  const [first, last] = [contour[0], contour.at(-1)]
  const isClosed = first && last && contour.length > 1 && last[2] && first[0] === last[0] && first[1] === last[1]
  return isClosed ? contour.slice(0, -1) : contour
}

const CMAP_BLOCK = 100

function toUnicode(glyphs: readonly Glyph[]): string {
  const rows = glyphs.map(({ text }, index) => `<${hex(index + 1)}> <${utf16(text)}>`)
  const blocks = Array.from({ length: Math.ceil(rows.length / CMAP_BLOCK) }, (_, at) => {
    const some = rows.slice(at * CMAP_BLOCK, (at + 1) * CMAP_BLOCK)
    return `${some.length} beginbfchar\n${some.join('\n')}\nendbfchar`
  })
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
${blocks.join('\n')}
endcmap CMapName currentdict /CMap defineresource pop end end`
}

export const hex = (code: number): string => code.toString(16).padStart(4, '0')
const utf16 = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex')
