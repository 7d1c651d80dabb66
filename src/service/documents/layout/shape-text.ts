import { fontNumberFor, hasGlyph, type Look } from '../fonts/fonts.ts'
import { shapeRun, type ShapedGlyph } from '../fonts/shape-run.ts'

export interface TextGlyph extends ShapedGlyph {
  font: number
  text: string
}

/** Width of a character of the monospaced font, in ems. Characters that are as wide as high take two. */
export const MONO_ADVANCE = 0.602
const WIDE = 0.9
const REPLACEMENT = '\ufffd'
const MAX_KNOWN = 20_000

/** Most texts repeat their words. */
const known = new Map<string, readonly TextGlyph[]>()

/** Shapes text of one font, as returned by `fontOf`. */
export function shapeText(text: string, look: Look, font: number, isRtl: boolean): readonly TextGlyph[] {
  const key = `${font}${isRtl ? '<' : '>'}${text}`
  const shaped = known.get(key)
  if (shaped) return shaped
  // In letters of one width, no letter changes its neighbour.
  if (text.length > 1 && isMono(look) && /^[ -~]+$/.test(text)) return byCharacter(text, look, font)
  const glyphs = textOfGlyphs(text, shapeRun(text, font, isRtl), isRtl).map((each) => ({ ...each, font }))
  const fitted = isMono(look) ? glyphs.map(toCells) : glyphs
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(key, fitted)
  return fitted
}

const byCharacter = (text: string, look: Look, font: number): TextGlyph[] =>
  [...text].flatMap((character, cluster) =>
    shapeText(character, look, font, false).map((glyph) => ({ ...glyph, cluster })),
  )

export const isMono = (look: Look): boolean => look === 'mono' || look === 'monoBold'

function toCells<Glyph extends ShapedGlyph>(glyph: Glyph): Glyph {
  if (glyph.advance < WIDE) return glyph
  const advance = 2 * MONO_ADVANCE
  return { ...glyph, advance, dx: glyph.dx + (advance - glyph.advance) / 2 }
}

/** Readers would take a glyph without text for a letter. */
const NO_TEXT = '\u2060'

/**
 * The characters of a cluster go to its glyphs in the order of reading, one each; the first stands for those that are left.
 * From right to left, where readers turn the order, the first stands for all.
 */
function textOfGlyphs(
  text: string,
  glyphs: readonly ShapedGlyph[],
  isRtl: boolean,
): (ShapedGlyph & { text: string })[] {
  const starts = [...new Set(glyphs.map(({ cluster }) => cluster))].toSorted((a, b) => a - b)
  const counts = Map.groupBy(glyphs, ({ cluster }) => cluster)
  const left = new Map(
    starts.map((start, at) => {
      const characters = text.slice(start, starts[at + 1])
      return [start, sharesOf(isRtl ? [characters] : [...characters], counts.get(start)?.length ?? 1)]
    }),
  )
  return glyphs.map((glyph) => ({ ...glyph, text: left.get(glyph.cluster)?.shift() ?? NO_TEXT }))
}

function sharesOf(characters: readonly string[], count: number): string[] {
  const first = Math.max(1, characters.length - count + 1)
  return [characters.slice(0, first).join(''), ...characters.slice(first)]
}

const fonts = new Map<string, number>()

/**
 * Returns the character to draw and the number of its font. Marks, joiners and spaces stay in the font before them if
 * it has them.
 */
export function fontOf(character: string, look: Look, before: number | undefined): [shown: string, font: number] {
  if (before !== undefined && /[\p{M}\p{Default_Ignorable_Code_Point}]/u.test(character)) {
    if (!/\p{M}/u.test(character) || hasGlyph(before, character)) return [character, before]
  }
  const key = look + character
  let font = fonts.get(key)
  if (font === undefined) {
    font = fontNumberFor(character, look) ?? -1
    fonts.set(key, font)
  }
  return font === -1 ? [REPLACEMENT, fontOf(REPLACEMENT, look, undefined)[1]] : [character, font]
}
