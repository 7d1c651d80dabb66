import type { Step } from '../../plan/outline.ts'
import { HALO_WIDTH, type Layer, type Mark, type Matrix } from '../../plan/placement.ts'
import { type Bitmap, drawBitmap } from './bitmap.ts'
import { type Box, movedBox, multiply } from './matrix.ts'
import type { Random } from './write-piece.ts'

/** Points of a closed outline in ems, x and y alternating. */
export type Contour = readonly number[]

/**
 * The kind of content that draws a piece. A tool that removes one kind of content from a document leaves the pieces of
 * the kinds that it must keep for the page's sake.
 */
export type PieceKind = 'path' | 'text' | 'image'

/** A part of the mark that is drawn at once. */
export interface Piece {
  kind: PieceKind
  layer: Layer
  contours: readonly Contour[]
  /** Less exact contours, for the halo behind the letters. */
  coarse: readonly Contour[]
  /** Maps ems to default user space. */
  matrix: Matrix
  /** The area that the piece covers in default user space. */
  box: Box
  /** The piece belongs to a strewn line; other pieces are parts of a placement. */
  isStrewn: boolean
  line: number
  part: number
  /** The piece as image masks of a few different sizes; only for strewn pieces. */
  bitmaps: readonly PlacedBitmap[]
}

export interface PlacedBitmap extends Bitmap {
  /** In ems. */
  box: Box
}

/** Maximum distance of a straight line from the curve that it replaces, in ems. */
const STREWN = 0.032
const PLACED = 0.009
/** Only the edge of the halo behind the letters is visible. */
const ROUGH = 0.055
const CONTOURS_OF_A_PIECE = 22
/**
 * The kinds that strewn pieces take in turn. Text costs readers least, so it is most of the mark on a page that is
 * worth nothing without its own text.
 */
const KINDS_ON_TEXT: readonly PieceKind[] = ['text', 'text', 'image', 'text', 'text', 'text']
const KINDS: readonly PieceKind[] = ['text', 'image', 'text', 'path', 'image', 'text', 'image', 'text']
/** Pixels per em. */
const BITMAP_UNITS = [15, 16, 17, 18]

/** A layer as outlines, which all pages of one size share. */
export interface Shape {
  layer: Layer
  isStrewn: boolean
  line: number
  parts: readonly Pick<Piece, 'contours' | 'coarse' | 'box' | 'bitmaps'>[]
}

export function shapesOf({ layers }: Mark): Shape[] {
  return layers.map((layer, line) => {
    const isStrewn = layer.haloIs === 'shadow'
    const contours = contoursOf(layer.steps, isStrewn ? STREWN : PLACED)
    const parts = (isStrewn ? [contours] : chunksOf(contours, CONTOURS_OF_A_PIECE)).filter((part) => part.length > 0)
    return { layer, isStrewn, line, parts: parts.map((part) => partOf(part, isStrewn)) }
  })
}

/** Returns the pieces of a mark on one page; `toPage` maps the page as shown to its user space. */
export function piecesOf(shapes: readonly Shape[], toPage: Matrix, isText: boolean, random: Random): Piece[] {
  const kinds = isText ? KINDS_ON_TEXT : KINDS
  let turn = Math.floor(random() * kinds.length)
  const nextKind = (): PieceKind => kinds[turn++ % kinds.length] ?? 'path'
  return shapes.flatMap(({ layer, isStrewn, line, parts }) =>
    layer.places.flatMap((place) => {
      const matrix = multiply(place, toPage)
      return parts.map((shape, part) => ({
        ...shape,
        part,
        kind: isStrewn ? nextKind() : isText ? 'text' : 'path',
        layer,
        line,
        matrix,
        box: movedBox(shape.box, matrix),
        isStrewn,
      }))
    }),
  )
}

function partOf(contours: readonly Contour[], isStrewn: boolean) {
  const box = boxOf(contours)
  return {
    contours,
    coarse: contours.map((contour) => simplified(contour, ROUGH)).filter((contour) => contour.length >= 6),
    box,
    bitmaps: isStrewn ? BITMAP_UNITS.map((units) => ({ ...drawBitmap(contours, box, units), box })) : [],
  }
}

function contoursOf(steps: readonly Step[], tolerance: number): Contour[] {
  const contours: number[][] = []
  let current: number[] = []
  for (const [kind, ...points] of steps) {
    if (kind === 'M') contours.push((current = points))
    else if (kind === 'L') current.push(...points)
    else if (kind === 'C') addCurve(current, points, tolerance)
  }
  return contours.map((contour) => simplified(contour, tolerance)).filter((contour) => contour.length >= 6)
}

/** Drops points that lie on the way from the last kept point to the next. */
function simplified(contour: Contour, tolerance: number): Contour {
  const kept = contour.slice(0, 2)
  let from = 0
  for (let at = 4; at < contour.length; at += 2) {
    if (isStraight(contour, from, at, tolerance)) continue
    kept.push(contour[at - 2] ?? 0, contour[at - 1] ?? 0)
    from = at - 2
  }
  const [x = 0, y = 0] = contour.slice(-2)
  const isClosed = Math.hypot(x - (kept[0] ?? 0), y - (kept[1] ?? 0)) < tolerance
  return isClosed ? kept : [...kept, x, y]
}

function isStraight(contour: Contour, from: number, to: number, tolerance: number): boolean {
  const [x = 0, y = 0] = [contour[from], contour[from + 1]]
  const [dx, dy] = [(contour[to] ?? 0) - x, (contour[to + 1] ?? 0) - y]
  const length = Math.hypot(dx, dy) || 1
  for (let at = from + 2; at < to; at += 2) {
    const [px, py] = [(contour[at] ?? 0) - x, (contour[at + 1] ?? 0) - y]
    const along = (px * dx + py * dy) / length
    if (Math.abs(px * dy - py * dx) / length > tolerance || along < 0 || along > length) return false
  }
  return true
}

/** Adds a curve as straight lines, as many as it needs. */
function addCurve(contour: number[], points: readonly number[], tolerance: number): void {
  const [x0 = 0, y0 = 0] = contour.slice(-2)
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = points
  const bend = Math.max(Math.hypot(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2), Math.hypot(x1 - 2 * x2 + x3, y1 - 2 * y2 + y3))
  const count = Math.min(12, Math.max(1, Math.ceil(Math.sqrt((0.75 * bend) / tolerance))))
  for (let step = 1; step <= count; step++) {
    const t = step / count
    const s = 1 - t
    const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t]
    contour.push(a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3)
  }
}

/** Splits contours, never between a letter and the hole in it: only before one that lies apart from its chunk. */
export function chunksOf(contours: readonly Contour[], size: number): Contour[][] {
  const parts: Contour[][] = []
  let box: Box = [0, 0, 0, 0]
  for (const contour of contours) {
    const own = boxOf([contour])
    const last = parts.at(-1)
    const isApart = own[0] > box[2] || own[2] < box[0] || own[1] > box[3] || own[3] < box[1]
    if (!last || (last.length >= size && isApart)) {
      parts.push([contour])
      box = own
    } else {
      last.push(contour)
      box = [Math.min(box[0], own[0]), Math.min(box[1], own[1]), Math.max(box[2], own[2]), Math.max(box[3], own[3])]
    }
  }
  return parts
}

/** Returns the box around contours and their halo. */
export function boxOf(contours: readonly Contour[]): Box {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const contour of contours) {
    for (let at = 0; at < contour.length; at += 2) {
      const [x = 0, y = 0] = [contour[at], contour[at + 1]]
      left = Math.min(left, x)
      right = Math.max(right, x)
      bottom = Math.min(bottom, y)
      top = Math.max(top, y)
    }
  }
  return [left - HALO_WIDTH, bottom - HALO_WIDTH, right + HALO_WIDTH, top + HALO_WIDTH]
}
