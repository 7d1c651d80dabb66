import type { Matrix } from '../../plan/placement.ts'
import { areaOf, type Box, IDENTITY, intersect, invert, movedBox, multiply } from './matrix.ts'
import type { ComponentsOf } from './inline-image.ts'
import { NOWHERE, Outline, type Point } from './outline.ts'
import { type Operation, type Replacement, scanContent, UNKNOWN } from './scan-content.ts'
import { AmbiguousContent } from './tokens.ts'

/** Resources that the operators of a page can refer to. */
export interface PageResources {
  /** Returns what an XObject paints, in its own space; undefined if unknown. */
  paintedBy(xobject: string): Painted | undefined
  /** The glyphs of Type 3 fonts are content of their own, of any size. */
  isType3(font: string): boolean
  lineWidthOf(state: string): number | undefined
  componentsOf: ComponentsOf
}

export interface Painted {
  boxes: readonly Box[]
  isImage: boolean
}

/** A place in the content where something else can be inserted. */
export interface Spot {
  at: number
  /** Index of the preceding operation. */
  index: number
  /** Maps default user space to the space in force. */
  inverse: Matrix
  /** Drawing within this box is not clipped. */
  clip: Box
  /** The line matrix with which an interrupted text object continues; undefined outside of text objects. */
  text: Matrix | undefined
}

/** An area that may hide what was drawn before. */
export interface Cover {
  index: number
  box: Box
  area: number
  isImage: boolean
}

export interface Followed {
  spots: Spot[]
  /** In drawing order; at least the last `LATEST_COVERS`. */
  covers: Cover[]
  /** Replaces operators without effect, which would undo the state put around the page, and malformed numbers. */
  replacements: Replacement[]
  lastPaint: number
  /** Most of what is painted is visible text, and no image covers much of the page: without its text, it is nothing. */
  isText: boolean
  /** The operators of `TEXT_STATE` that the content uses. */
  textState: ReadonlySet<string>
  /** Number of `Q` operators without a `q`. */
  surplus: number
  /** Operators that close whatever the page leaves open. */
  closing: string
}

/** Number of painting operations that are examined for each piece, from the last one back. */
export const LATEST_COVERS = 3000

const EVERYWHERE: Box = [-Infinity, -Infinity, Infinity, Infinity]
const UNIT: Box = [0, 0, 1, 1]
const MAX_SPOTS = 400
/** Readers need not support more than 28 levels. */
const MAX_DEPTH = 24
/** Letters larger than this fraction of the page count as hiding what is behind them. */
const LARGE_TEXT = 0.08
/** Beyond these limits, readers that calculate in floats with 24 bits of precision lose the position. */
const MAX_SCALE = 1e4
const MAX_OFFSET = 1e6
/** Fractions of a page that is text: of its painting operations, and of its area. */
const LEAST_TEXT = 0.5
const MOST_PICTURED = 0.5
/** The operators that set the text state but the font, with the operands that are in force at first. */
export const TEXT_STATE: Readonly<Record<string, number>> = { Tr: 0, Ts: 0, Tz: 100, Tc: 0, Tw: 0 }
/** Text rendering modes from this one on add to the clip path. */
const CLIPPING_TEXT = 4

interface State {
  ctm: Matrix
  /** No matrix on the way to this state lost digits. */
  isExact: boolean
  clip: Box
  lineWidth: number
  leading: number
  fontSize: number
  isType3: boolean
  textMode: number
}

/**
 * Follows the graphics state through a page's content, and finds the spots where content can be inserted.
 * @throws AmbiguousContent
 */
export function followPage(content: Buffer, page: Box, resources: PageResources): Followed {
  const follower = new Follower(page, resources, content.length / MAX_SPOTS)
  follower.offer(0)
  scanContent(content, resources.componentsOf, (operation) => follower.follow(operation))
  return follower.result()
}

class Follower {
  private state: State = {
    ctm: IDENTITY,
    isExact: true,
    clip: EVERYWHERE,
    lineWidth: 1,
    leading: 0,
    fontSize: 0,
    isType3: false,
    textMode: 0,
  }
  private readonly saved: State[] = []
  private readonly spots: Spot[] = []
  private readonly covers: Cover[] = []
  private readonly replacements: Replacement[] = []
  private surplus = 0
  private lastPaint = 0
  private readonly textState = new Set<string>()
  private shown = 0
  private painted = 0
  private pictured = 0
  private readonly page: Box
  private readonly resources: PageResources
  private readonly stride: number
  private index = 0
  private nextSpot = 0
  /** Whether each open section of marked content is optional content, which can be switched off. */
  private readonly marked: boolean[] = []
  private optional = 0
  /** The line matrix; undefined outside of text objects. */
  private line: Matrix | undefined
  private clipsText = false
  private readonly path = new Outline()
  private isClip = false

  constructor(page: Box, resources: PageResources, stride: number) {
    this.page = page
    this.resources = resources
    this.stride = stride
  }

  follow(operation: Operation): void {
    const { operator } = operation
    const movesText = this.line !== undefined && MOVES_TEXT.has(operator)
    if (movesText && !this.clipsText) this.offer(operation.from)
    this.index++
    if (this.isWithoutEffect(operator)) {
      this.replacements.push({ from: operation.from, to: operation.to, text: ' ' })
      return
    }
    this.apply(operation)
    if (PAINTING.has(operator)) {
      this.lastPaint = operation.to
      this.painted++
    }
    if (operator in TEXT_STATE) this.textState.add(operator)
    if (operator === '"') this.textState.add('Tw').add('Tc')
    this.replacements.push(...operation.corrections)
    if (this.line === undefined && !this.path.isBegun) this.offer(operation.to)
  }

  private isWithoutEffect(operator: string): boolean {
    if (operator === UNKNOWN) return true
    if (operator !== 'Q' || this.saved.length > 0) return false
    this.surplus++
    return true
  }

  /** Adds a place in the content as a spot, unless another spot is close by. */
  offer(at: number): void {
    if (at < this.nextSpot || this.optional > 0 || this.saved.length > MAX_DEPTH) return
    const inverse = invert(this.state.ctm)
    if (!inverse || !this.state.isExact || areaOf(this.state.clip) === 0) return
    this.spots.push({ at, index: this.index, inverse, clip: this.state.clip, text: this.line })
    this.nextSpot = at + this.stride
  }

  result(): Followed {
    const { spots, covers, replacements, lastPaint, textState, surplus } = this
    const isText = this.shown > this.painted * LEAST_TEXT && this.pictured < areaOf(this.page) * MOST_PICTURED
    const closing = [
      ...(this.path.isBegun ? ['n'] : []),
      ...(this.line ? ['ET'] : []),
      ...(this.optional > 0 ? this.marked.map(() => 'EMC') : []),
      ...this.saved.map(() => 'Q'),
    ].join(' ')
    return { spots, covers, replacements, lastPaint, isText, textState, surplus, closing }
  }

  private apply({ operator, numbers, names }: Operation): void {
    const { state } = this
    switch (operator) {
      case 'q':
        return this.save()
      case 'Q':
        return this.restore()
      case 'cm':
        return this.transform(matrixOf(numbers))
      case 'm':
      case 'l':
        return this.addPoints(numbers, 2)
      case 'c':
        return this.addPoints(numbers, 6)
      case 'v':
      case 'y':
        return this.addPoints(numbers, 4)
      case 're':
        return this.addRectangle(numbers)
      case 'h':
        return this.path.close()
      case 'W':
      case 'W*':
        this.isClip = true
        return
      case 'w':
        state.lineWidth = numbers[0] ?? state.lineWidth
        return
      case 'gs':
        state.lineWidth = this.resources.lineWidthOf(names[0] ?? '') ?? state.lineWidth
        return
      case 'Do':
        return this.paintXObject(names[0] ?? '')
      case 'BI':
        return this.cover(movedBox(UNIT, state.ctm), true)
      case 'sh':
        return this.cover(this.page)
      case 'BMC':
      case 'BDC':
        return this.mark(names[0] === '/OC')
      case 'EMC':
        if (this.marked.pop()) this.optional--
        return
      default:
        if (!this.paint(operator)) this.applyText(operator, numbers, names)
    }
  }

  private save(): void {
    if (this.line) throw new AmbiguousContent('q in a text object')
    this.saved.push({ ...this.state })
    if (this.saved.length > 1000) throw new AmbiguousContent('too many levels')
  }

  private restore(): void {
    if (this.line) throw new AmbiguousContent('Q in a text object')
    this.state = this.saved.pop() ?? this.state
  }

  private transform(matrix: Matrix): void {
    const { state } = this
    state.ctm = multiply(matrix, state.ctm)
    for (const [a, b, c, d, e, f] of [matrix, state.ctm]) {
      const scale = Math.hypot(a, b, c, d)
      state.isExact &&= scale < MAX_SCALE && scale > 1 / MAX_SCALE && Math.abs(e) + Math.abs(f) < MAX_OFFSET
    }
  }

  private mark(isOptional: boolean): void {
    this.marked.push(isOptional)
    if (isOptional) this.optional++
  }

  private moved([x, y]: Point): Point {
    const [a, b, c, d, e, f] = this.state.ctm
    return [a * x + c * y + e, b * x + d * y + f]
  }

  private addPoints(numbers: readonly number[], count: number): void {
    if (numbers.length !== count) throw new AmbiguousContent('a path with other operands')
    const points: Point[] = []
    for (let at = 0; at < count; at += 2) points.push(this.moved([numbers[at] ?? 0, numbers[at + 1] ?? 0]))
    this.path.add(points)
  }

  private addRectangle(numbers: readonly number[]): void {
    const [x, y, width, height] = numbers
    if (x === undefined || y === undefined || width === undefined || height === undefined || numbers.length !== 4)
      throw new AmbiguousContent('a rectangle with other operands')
    const [a, b, c, d] = this.state.ctm
    const corners: Point[] = [
      [x, y],
      [x + width, y],
      [x + width, y + height],
      [x, y + height],
    ]
    const isUpright = (b === 0 && c === 0) || (a === 0 && d === 0)
    this.path.addRectangle(
      corners.map((corner) => this.moved(corner)),
      isUpright,
    )
  }

  /** @returns whether the operator paints or ends a path */
  private paint(operator: string): boolean {
    const how = PAINTS.get(operator)
    if (how === undefined) return false
    const scale = Math.hypot(...this.state.ctm.slice(0, 4)) / Math.SQRT2
    if (how.includes('f')) this.cover(this.path.box)
    if (how.includes('s')) {
      const width = this.state.lineWidth * scale
      const [left, bottom, right, top] = this.path.box
      this.cover([left - width, bottom - width, right + width, top + width], false, this.path.length * width)
    }
    if (this.isClip) this.state.clip = this.path.isRectangle ? intersect(this.state.clip, this.path.box) : NOWHERE
    this.path.clear()
    this.isClip = false
    return true
  }

  private paintXObject(name: string): void {
    const painted = this.resources.paintedBy(name)
    if (!painted) return this.cover(this.page)
    for (const box of painted.boxes) this.cover(movedBox(box, this.state.ctm), painted.isImage)
  }

  private cover(box: Box, isImage = false, area = areaOf(box)): void {
    if (isImage) this.pictured += areaOf(intersect(box, this.page))
    if (area > 0) this.covers.push({ index: this.index, box, area, isImage })
    if (this.covers.length > LATEST_COVERS * 3) this.covers.splice(0, LATEST_COVERS)
  }

  private applyText(operator: string, numbers: readonly number[], names: readonly string[]): void {
    const { state } = this
    const [first = 0, second = 0] = numbers
    switch (operator) {
      case 'BT':
        if (this.line) throw new AmbiguousContent('a text object in another')
        this.line = IDENTITY
        return
      case 'ET':
        // Text in the clip path is not followed, so everything counts as clipped.
        if (this.clipsText) state.clip = NOWHERE
        this.clipsText = false
        this.line = undefined
        return
      case 'Tf':
        state.fontSize = numbers.at(-1) ?? 0
        state.isType3 = this.resources.isType3(names[0] ?? '')
        return
      case 'Tr':
        state.textMode = first
        return
      case 'TL':
        state.leading = first
        return
      case 'Tm':
        if (this.line) this.line = matrixOf(numbers)
        return
      case 'TD':
        state.leading = -second
        return this.moveText(first, second)
      case 'Td':
        return this.moveText(first, second)
      case 'T*':
        return this.moveText(0, -state.leading)
      case "'":
      case '"':
        this.moveText(0, -state.leading)
        return this.showText()
      case 'Tj':
      case 'TJ':
        return this.showText()
      default:
    }
  }

  private moveText(x: number, y: number): void {
    if (this.line) this.line = multiply([1, 0, 0, 1, x, y], this.line)
  }

  private showText(): void {
    const { state, line = IDENTITY } = this
    this.clipsText ||= state.textMode >= CLIPPING_TEXT
    if (state.textMode === 3 && !state.isType3) return
    this.shown++
    const size = Math.abs(state.fontSize) * Math.hypot(...multiply(line, state.ctm).slice(0, 4))
    const [left, bottom, right, top] = this.page
    if (state.isType3 || size > LARGE_TEXT * Math.SQRT2 * Math.sqrt((right - left) * (top - bottom)))
      this.cover(this.page)
  }
}

const PAINTING = new Set('f F f* B B* b b* S s sh Do BI Tj TJ \' "'.split(' '))
const MOVES_TEXT = new Set(['Td', 'TD', 'T*', 'Tm', "'", '"'])
/** Effect of each painting operator: f fills, s strokes. */
const PAINTS: ReadonlyMap<string, string> = new Map([
  ...['f', 'F', 'f*'].map((operator) => [operator, 'f'] as const),
  ...['B', 'B*', 'b', 'b*'].map((operator) => [operator, 'fs'] as const),
  ...['S', 's'].map((operator) => [operator, 's'] as const),
  ['n', ''],
])

function matrixOf(numbers: readonly number[]): Matrix {
  const [a, b, c, d, e, f] = numbers
  if (
    a === undefined ||
    b === undefined ||
    c === undefined ||
    d === undefined ||
    e === undefined ||
    f === undefined ||
    numbers.length !== 6
  )
    throw new AmbiguousContent('a matrix with other operands')
  return [a, b, c, d, e, f]
}
