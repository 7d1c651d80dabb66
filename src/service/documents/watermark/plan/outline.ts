import { embeddingLevels, inVisualOrder } from '../../fonts/bidi.ts'
import { fontNumberFor, hasGlyph, loadFont } from '../../fonts/fonts.ts'
import { shapeRun } from '../../fonts/shape-run.ts'

/** One step of a path in ems, y upwards: `M` and `L` have one point, `C` three, `Z` none. */
export type Step = readonly ['M' | 'L' | 'C' | 'Z', ...number[]]

/** A line of text as a shape, which can be drawn anywhere without a font. */
export interface Outline {
  steps: readonly Step[]
  /** In ems. */
  width: number
}

/** Height above and below the baseline, in ems; the same for every script. */
export const ASCENT = 0.95
export const DESCENT = 0.3

const REPLACEMENT = '\ufffd'

interface Run {
  text: string
  font: number
  level: number
}

/** Returns the shape of a line, with right-to-left text, joining letters and mixed fonts drawn as they are read. */
export function outlineOf(text: string): Outline {
  const steps: Step[] = []
  let at = 0
  for (const run of inVisualOrder(runsOf(text))) at = drawRun(run, at, steps)
  return { steps, width: at }
}

/** Whether the fonts have a glyph for every character. */
export const canBeWritten = (text: string): boolean => [...text].every((each) => fontNumberFor(each) !== undefined)

function runsOf(text: string): Run[] {
  const { levels } = embeddingLevels(text)
  const runs: Run[] = []
  let index = 0
  for (const character of text) {
    const level = levels[index] ?? 0
    index += character.length
    const last = runs.at(-1)
    const [shown, font] = fontFor(character, last)
    if (last && last.font === font && last.level === level) last.text += shown
    else runs.push({ text: shown, font, level })
  }
  return runs
}

/** Combining marks and spaces stay in the preceding run if its font has them. */
function fontFor(character: string, last: Run | undefined): [string, number] {
  if (last && /[\p{M}\s]/u.test(character) && hasGlyph(last.font, character)) return [character, last.font]
  const font = fontNumberFor(character)
  return font === undefined ? [REPLACEMENT, 0] : [character, font]
}

/** @returns where the next run begins */
function drawRun({ text, font: number, level }: Run, from: number, steps: Step[]): number {
  let at = from
  for (const { glyph, advance, dx, dy } of shapeRun(text, number, level % 2 === 1)) {
    for (const step of glyphSteps(number, glyph)) steps.push(moved(step, at + dx, dy))
    at += advance
  }
  return at
}

const glyphs = new Map<string, readonly Step[]>()

function glyphSteps(number: number, glyph: number): readonly Step[] {
  const key = `${number}/${glyph}`
  const known = glyphs.get(key)
  if (known) return known
  const { font, upem } = loadFont(number)
  const steps = toSteps(font.glyphToPath(glyph), upem)
  glyphs.set(key, steps)
  return steps
}

/** Converts quadratic curves to cubic ones, because PDF has no quadratic curves. */
function toSteps(path: string, upem: number): Step[] {
  const steps: Step[] = []
  let [x, y] = [0, 0]
  for (const [, kind = '', values = ''] of path.matchAll(/([MLQCZ])([^MLQCZ]*)/g)) {
    const points = values
      .split(/[ ,]+/)
      .filter(Boolean)
      .map((value) => Number(value) / upem)
    if (kind === 'Q') {
      const [cx = 0, cy = 0, ex = 0, ey = 0] = points
      steps.push([
        'C',
        x + (2 / 3) * (cx - x),
        y + (2 / 3) * (cy - y),
        ex + (2 / 3) * (cx - ex),
        ey + (2 / 3) * (cy - ey),
        ex,
        ey,
      ])
    } else steps.push([kind as Step[0], ...points])
    if (kind !== 'Z') [x = 0, y = 0] = points.slice(-2)
  }
  return steps
}

function moved([kind, ...points]: Step, dx: number, dy: number): Step {
  return [kind, ...points.map((value, index) => value + (index % 2 === 0 ? dx : dy))]
}
