import type { Box } from './matrix.ts'

export type Point = readonly [x: number, y: number]

/** A box without content, which grows with each point that is added. */
export const NOWHERE: Box = [Infinity, Infinity, -Infinity, -Infinity]

/** What is known of the path under construction: the box around its points and its length, in user space. */
export class Outline {
  box: Box = NOWHERE
  length = 0
  isBegun = false
  /** The path is a single upright rectangle. */
  isRectangle = false
  private start: Point = [0, 0]
  private last: Point = [0, 0]

  /** A point that only begins a subpath draws nothing; counting it makes the estimate larger, which is safe. */
  add(points: readonly Point[]): void {
    this.isRectangle = false
    for (const point of points) {
      if (this.isBegun) this.addLine(point)
      else this.begin(point)
    }
  }

  addRectangle(corners: readonly Point[], isUpright: boolean): void {
    const isFirst = !this.isBegun
    this.add(corners)
    this.isRectangle = isFirst && isUpright
  }

  /** Returns to the first point. */
  close(): void {
    this.addLine(this.start)
  }

  clear(): void {
    this.box = NOWHERE
    this.length = 0
    this.isBegun = this.isRectangle = false
  }

  private begin(point: Point): void {
    this.isBegun = true
    this.start = this.last = point
    this.grow(point)
  }

  private addLine(point: Point): void {
    this.length += Math.hypot(point[0] - this.last[0], point[1] - this.last[1])
    this.last = point
    this.grow(point)
  }

  private grow([x, y]: Point): void {
    const [left, bottom, right, top] = this.box
    this.box = [Math.min(left, x), Math.min(bottom, y), Math.max(right, x), Math.max(top, y)]
  }
}
