/** PDFium writes these for a hyphen that divides a word at the end of a line. */
const DIVIDING = new Set([0x02, 0xfffe])
const SOFT_HYPHEN = '\u00ad'
const MAX_HALF = 40

export const isDividing = (code: number | undefined): boolean => code !== undefined && DIVIDING.has(code)

/** Returns the sign between the halves of a divided word. */
export const signBefore = (next: string): string => (/^[\p{Ll}\p{Lo}\p{M}]/u.test(next) ? SOFT_HYPHEN : '-')

/** Joins words that are divided at the ends of lines. A hyphen stays in words that the text has with a hyphen elsewhere. */
export function joinDivided(text: string): string {
  const [first = '', ...parts] = text.replaceAll('\u0002', '\ufffe').split('\ufffe')
  if (parts.length === 0) return text
  const compounds = new Set(text.toLowerCase().split(/[^\p{L}-]+/u))
  let before = first
  let joined = first
  for (const part of parts.map((each) => each.trimStart())) {
    const halves = `${before.slice(-MAX_HALF).split(/\P{L}/u).at(-1)}-${part.slice(0, MAX_HALF).split(/\P{L}/u)[0]}`
    joined += (compounds.has(halves.toLowerCase()) ? '-' : signBefore(part)) + part
    before = part
  }
  return joined
}
