import type { Style } from '../blocks.ts'
import { breakLines, type Line } from '../break-lines.ts'
import type { Pages } from '../pages.ts'
import { inOneLine } from '../times.ts'

/** Characters of a name that can be seen in a report. */
const MOST_CHARACTERS = 400

/** A text in one paragraph, without what would turn or cover the text around it. */
const plain = (text: string): string =>
  text
    .slice(0, MOST_CHARACTERS)
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e]/g, '')
    .replaceAll(/(\p{M}{3})\p{M}+/gu, '$1')
    .trim()

/** A name inside of a sentence, which it neither turns nor fills. */
export function within(sentence: string, most = MOST_CHARACTERS): string {
  const name = plain(sentence).replaceAll(/[\u2066-\u2069]/g, '')
  const shown = [...name].slice(0, most).join('')
  return `\u2068${shown === name ? name : `${shown.trim()}…`}\u2069`
}

export interface Place {
  x: number
  /** Of the first line. */
  baseline: number
  width: number
  size: number
  look?: 'regular' | 'bold'
  isMuted?: boolean
  isRight?: boolean
  /** Most lines; 1 if absent. What does not fit ends with an ellipsis. */
  lines?: number
}

export const LINE = 1.3

/** Writes a number in one line, smaller if it would not fit: no digit is ever left out. */
export function writeNumber(pages: Pages, text: string, place: Omit<Place, 'lines'>): void {
  const size = place.size * Math.min(1, place.width / Math.max(1, widthOf(text, place)))
  // Rounding must not begin another line.
  write(pages, text, { ...place, size: size * 0.999 })
}

/** The width that a text takes in one line. */
export const widthOf = (text: string, style: Pick<Place, 'size' | 'look'>): number =>
  fitLines(text, { ...style, width: Infinity })[0]?.width ?? 0

/** Writes a text so that it stays within its place. Returns the number of its lines. */
export function write(pages: Pages, text: string, place: Place): number {
  const lines = fitLines(text, place)
  for (const [at, line] of lines.entries()) {
    const x = place.isRight ? place.x + place.width - line.width : place.x
    pages.line(line, { x, baseline: place.baseline + at * place.size * LINE })
  }
  return lines.length
}

export function fitLines(
  text: string,
  { width, size, look = 'regular', isMuted, lines = 1 }: Omit<Place, 'x' | 'baseline'>,
) {
  const style: Style = isMuted ? { look, color: 'muted' } : { look }
  const spans = [{ text: plain(text), style }]
  const whole = firstOf(breakLines(spans, size, width), lines + 1)
  if (whole.length <= lines) return whole
  const [mark] = breakLines([{ text: '…', style }], size, width)
  // The last words of a single line end anywhere.
  const own = lines === 1 ? spans.map((span) => ({ ...span, text: unbroken(span.text) })) : spans
  const short = firstOf(breakLines(own, size, width - (mark?.width ?? 0)), lines)
  const last = short.pop()
  return last && mark ? [...short, joined(last, mark)] : short
}

const unbroken = (text: string) => inOneLine(text).replaceAll(/[-–—/]/g, '$&\u2060')

function firstOf(lines: Iterable<Line>, count: number): Line[] {
  const first: Line[] = []
  for (const line of lines) {
    if (first.length === count) break
    first.push(line)
  }
  return first
}

/** The mark stands at the end of the line: on the left if the text reads from right to left. */
const joined = (line: Line, mark: Line): Line => ({
  ...line,
  runs: line.isRtl ? [...mark.runs, ...line.runs] : [...line.runs, ...mark.runs],
  width: line.width + mark.width,
})
