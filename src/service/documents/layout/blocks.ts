import type { Look } from '../fonts/fonts.ts'

/** What a reader of a format makes of a file, and what is then set on pages. Lengths are in points. */
export type Block = TextBlock | TableBlock | { kind: 'rule' }

export interface Style {
  look: Look
  color?: 'muted' | 'link'
  isUnderlined?: boolean
  isStruck?: boolean
  /** Above or below the line, and smaller. */
  shift?: 'above' | 'below'
}

export interface Span {
  text: string
  style: Style
}

/** A paragraph, heading, item of a list, or line of code. */
export interface TextBlock {
  kind: 'text'
  spans: readonly Span[]
  size: number
  before?: number
  after?: number
  /** Distance from the left edge, or from the right edge if the text reads from right to left. */
  indent?: number
  /** A bullet or number before the text. */
  marker?: string
  /** Further indent of all lines but the first. */
  hanging?: number
  /** Places of vertical bars beside a quotation. */
  bars?: readonly number[]
  isShaded?: boolean
  /** Stays on the page of the text that follows it. */
  isHeading?: boolean
}

export interface Cell {
  /** An address that the text opens. */
  href?: string
  spans: readonly Span[]
  isRight?: boolean
  /** Number of columns; 1 if absent. */
  columns?: number
}

export type Row = readonly Cell[]

export interface TableBlock {
  kind: 'table'
  columns: number
  /** Rows that are repeated on every page. */
  headers: readonly Row[]
  rows: Iterable<Row>
  /** Rows by which the widths of the columns are decided. */
  sample: readonly Row[]
  size: number
  indent?: number
  bars?: readonly number[]
  /** A column that takes the width that others leave. */
  widest?: number
  /** Whether columns that do not fit are put on further pages. Otherwise they are made narrower. */
  mayBeSplit?: boolean
}

/** The size of the page and its text, by which a whole document is set. */
export interface PageForm {
  width: number
  height: number
  margin: number
}

const [SHORT, LONG] = [595, 842]
export const PORTRAIT: PageForm = { width: SHORT, height: LONG, margin: 54 }
export const LANDSCAPE: PageForm = { width: LONG, height: SHORT, margin: 42 }

export const textWidth = ({ width, margin }: PageForm): number => width - 2 * margin
