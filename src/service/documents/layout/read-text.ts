import { type Block, LANDSCAPE, type PageForm, PORTRAIT, type Style, textWidth } from './blocks.ts'
import { MONO_ADVANCE } from './shape-text.ts'

export interface Reading {
  form: PageForm
  blocks: Iterable<Block>
}

const PROSE = 10.5
const MONO = 8.5
/** Lines of a file by which its form is decided. */
const SAMPLE_LINES = 2000
const TAB = 8
/** Columns that move a wrapped line of program text to the right. */
const HANGING = 2 * MONO * MONO_ADVANCE

/** Sets text line by line, in letters of one width if it is a log, program text or a table. */
export function readText(text: string, isProgramText: boolean): Reading {
  const sample = text.slice(0, 200_000).split('\n').slice(0, SAMPLE_LINES)
  const isMono = isProgramText || isAligned(sample)
  const size = isMono ? MONO : PROSE
  const style: Style = { look: isMono ? 'mono' : 'regular' }
  const form = isMono && isWide(sample) ? LANDSCAPE : PORTRAIT
  return { form, blocks: lines(text, (line) => textBlock(line, style, size)) }
}

function* lines(text: string, blockOf: (line: string) => Block): Generator<Block> {
  for (let at = 0; at <= text.length;) {
    const end = text.indexOf('\n', at)
    yield blockOf(expandTabs(text.slice(at, end < 0 ? undefined : end)))
    if (end < 0 || end === text.length - 1) return
    at = end + 1
  }
}

const textBlock = (text: string, style: Style, size: number): Block => ({
  kind: 'text',
  spans: [{ text, style }],
  size,
  hanging: style.look === 'mono' ? HANGING : 0,
})

export function expandTabs(line: string): string {
  if (!line.includes('\t')) return line
  let column = 0
  const parts = line.split('\t')
  return parts
    .map((part, at) => {
      if (at === parts.length - 1) return part
      const gap = TAB - ((column + part.length) % TAB)
      column += part.length + gap
      return part + ' '.repeat(gap)
    })
    .join('')
}

/** Whether many lines have gaps or marks within, as tables, logs and program text do. */
function isAligned(sample: readonly string[]): boolean {
  const filled = sample.filter((line) => line.trim() !== '')
  const aligned = filled.filter((line) =>
    /\S {3,}\S|\t\S|[│┃║|+]\s|^\s{4,}\S|^\[?\d{4}-\d\d-\d\d|[{};]\s*$/.test(line.slice(0, 400)),
  )
  return aligned.length > filled.length / 5
}

/** Whether more than a tenth of the lines do not fit across a page. */
function isWide(sample: readonly string[]): boolean {
  const columns = textWidth(PORTRAIT) / (MONO * MONO_ADVANCE)
  return sample.filter((line) => line.length > columns).length > sample.length / 10
}
