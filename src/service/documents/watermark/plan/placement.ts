import { DEFAULT_LOOK, LEAST_OPACITY } from '../../../../contract/endpoints/looks/default-look.ts'
import type { Reader } from '../../../store/downloads/marks.ts'
import type { WatermarkLook } from '../../../store/workspaces/watermarks.ts'
import { type MarkLines, markLines, strewnLines } from './lines.ts'
import { ASCENT, DESCENT, outlineOf, type Step } from './outline.ts'

/** A page as shown, in points or in its own unit. */
export interface PageSize {
  width: number
  height: number
}

/** In ems: the width of the line on either side of a letter's edge, and the offset of the shadow. */
export const HALO_WIDTH = 0.07

/** Maps ems (y upwards) to the page (y upwards from its lower left corner), in the order of PDF and SVG. */
export type Matrix = readonly [number, number, number, number, number, number]

/** One shape with one look, at one or more places. */
export interface Layer {
  steps: readonly Step[]
  color: string
  /** Contrasting colour around or behind each letter, so that it is visible on its own colour too. */
  halo: string
  /** A shadow costs a fraction of what a line around each letter costs. */
  haloIs: 'around' | 'shadow'
  opacity: number
  places: readonly Matrix[]
}

/** The drawing over a page, the same in every format. */
export interface Mark {
  page: PageSize
  layers: readonly Layer[]
}

/** Sizes apply to A4; on any other page, the mark takes the same fraction of the page. */
const A4_SIDE = Math.sqrt(595 * 842)
const LEADING = 1.3
/** Largest fraction of the page for a placement, and the fraction of the shorter side that stays free around it. */
const FILL = 0.92
const MARGIN = 0.04

const STREWN_SIZE = 10
const STREWN_OPACITY = 0.24
const STREWN_ANGLE = 30
/** Gaps between strewn lines, in ems. */
const STREWN_GAP = { across: 6, down: 8 }
const MAX_STREWN = 2000
/** A strewn line whose middle is beyond the edge is drawn if more than a fifth of its length is on the page. */
const REACHING_IN = 0.6
const USUAL_RATIO = 3
const MAX_STRETCH = 3

/** Returns the newest placement per vposition (decisions, section 9); `looks` are oldest first. */
export function placementsOf(looks: readonly WatermarkLook[]): WatermarkLook[] {
  const newest = new Map(looks.map((look) => [look.vposition, look]))
  return newest.size > 0 ? [...newest.values()] : [DEFAULT_LOOK]
}

/**
 * Plans the mark of a reader: the placements, and the same facts strewn lightly over the whole page, so that no part
 * cut out of it is unmarked. `enlarged` makes letters larger where a page is shown small.
 */
export function planMark(looks: readonly WatermarkLook[], reader: Reader, page: PageSize, enlarged = 1): Mark {
  const placements = placementsOf(looks)
  const scale = (Math.sqrt(page.width * page.height) / A4_SIDE) * enlarged
  const written = placements.map((look) => ({ look, lines: markLines(look, reader) }))
  const first = written[0]?.look ?? DEFAULT_LOOK
  return {
    page,
    layers: [
      ...strewn(strewnLines(written.map(({ lines }) => lines)), first.color, page, scale),
      ...written.map(({ look, lines }) => placed(look, lines, page, scale, placements.length)),
    ],
  }
}

interface Block {
  steps: Step[]
  /** In ems; the block is centred on its origin. */
  width: number
  height: number
}

function blockOf(lines: readonly string[], align: WatermarkLook['hposition']): Block {
  const outlines = lines.map(outlineOf)
  const width = Math.max(0.5, ...outlines.map((outline) => outline.width))
  const height = (lines.length - 1) * LEADING + ASCENT + DESCENT
  const steps = outlines.flatMap((outline, index) => {
    const free = width - outline.width
    const x = (align === 'left' ? 0 : align === 'right' ? free : free / 2) - width / 2
    const y = height / 2 - ASCENT - index * LEADING
    return outline.steps.map(([kind, ...points]): Step => [
      kind,
      ...points.map((value, at) => value + (at % 2 === 0 ? x : y)),
    ])
  })
  return { steps, width, height }
}

function placed(
  look: WatermarkLook,
  { custom, facts }: MarkLines,
  page: PageSize,
  scale: number,
  count: number,
): Layer {
  const block = blockOf([...custom, ...facts], look.hposition)
  const turned = turnedBox(block, look.rotation)
  const size = Math.min(
    look.font_size * scale,
    (page.width * FILL) / turned.width,
    (page.height * FILL) / count / turned.height,
  )
  const margin = Math.min(page.width, page.height) * MARGIN
  const x = along(
    look.hposition === 'left' ? -1 : look.hposition === 'right' ? 1 : 0,
    page.width,
    turned.width * size,
    margin,
  )
  const y = along(
    look.vposition === 'bottom' ? -1 : look.vposition === 'top' ? 1 : 0,
    page.height,
    turned.height * size,
    margin,
  )
  const opacity = Math.max(look.opacity, LEAST_OPACITY)
  return {
    steps: block.steps,
    ...coloursOf(look.color),
    haloIs: 'around',
    opacity,
    places: [turn(size, look.rotation, x, y)],
  }
}

/** Returns the middle of a block at the beginning (-1), in the middle (0) or at the end (1) of a side. */
function along(end: -1 | 0 | 1, side: number, length: number, margin: number): number {
  return side / 2 + end * Math.max(0, side / 2 - margin - length / 2)
}

/** Makes one layer per line; the lines alternate in the pattern. */
function strewn(lines: readonly string[], color: string, page: PageSize, scale: number): Layer[] {
  const blocks = lines.map((line) => blockOf([line], 'center'))
  const block = { width: Math.max(...blocks.map(({ width }) => width)), height: ASCENT + DESCENT }
  const size = STREWN_SIZE * scale * stretchFor(page)
  const turned = turnedBox(block, STREWN_ANGLE)
  const [stepX, stepY] = [(turned.width + STREWN_GAP.across) * size, (turned.height + STREWN_GAP.down) * size]
  const [columns, rows] = [Math.ceil(page.width / stepX / 2), Math.ceil(page.height / stepY / 2)]
  const places: Matrix[][] = blocks.map(() => [])
  let count = 0
  for (let row = -rows; row <= rows; row++) {
    // Shift every other row by half a step, so that no straight cut passes between all lines.
    const shift = row % 2 === 0 ? 0 : stepX / 2
    for (let column = -columns - 1; column <= columns; column++) {
      const [x, y] = [column * stepX + shift, row * stepY]
      const isSeen =
        Math.abs(x) < (page.width + turned.width * size * REACHING_IN) / 2 &&
        Math.abs(y) < (page.height + turned.height * size * REACHING_IN) / 2
      if (isSeen && count++ < MAX_STREWN)
        places
          .at((row + column) % blocks.length)
          ?.push(turn(size, STREWN_ANGLE, page.width / 2 + x, page.height / 2 + y))
    }
  }
  return blocks.map(({ steps }, index) => ({
    steps,
    ...coloursOf(color),
    haloIs: 'shadow',
    opacity: STREWN_OPACITY,
    places: places[index] ?? [],
  }))
}

/** On a strip, letters in proportion to the page would be too small to see, so they are enlarged. */
function stretchFor({ width, height }: PageSize): number {
  const ratio = Math.max(width, height) / Math.min(width, height)
  return Math.min(MAX_STRETCH, Math.max(1, (ratio / USUAL_RATIO) ** 0.25))
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Rotates counter-clockwise, like all rotations here. */
function turn(size: number, degrees: number, x: number, y: number): Matrix {
  const [cos, sin] = [size * Math.cos(radians(degrees)), size * Math.sin(radians(degrees))]
  return [cos, sin, -sin, cos, x, y]
}

function turnedBox({ width, height }: PageSize, degrees: number): PageSize {
  const [cos, sin] = [Math.abs(Math.cos(radians(degrees))), Math.abs(Math.sin(radians(degrees)))]
  return { width: width * cos + height * sin, height: width * sin + height * cos }
}

function coloursOf(color: string): { color: string; halo: string } {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  const isBright = red * 0.299 + green * 0.587 + blue * 0.114 > 140
  return { color, halo: isBright ? '#000000' : '#ffffff' }
}
