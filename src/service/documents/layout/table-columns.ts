import type { Cell, TableBlock } from './blocks.ts'
import { breakLines } from './break-lines.ts'

/** Space beside the text of a cell. */
export const PADDING = 4
/** Characters of a cell by which the width of its column is decided. */
const SAMPLE_CHARACTERS = 200
/** The most that a column takes, in ems, while others need room. */
const COMFORTABLE = 22
const MOST_FOR_A_WORD = 12
/** A table of more columns shows the first ones. */
export const MAX_COLUMNS = 500

interface Wish {
  /** Width of the longest word and of the longest text, with their padding. */
  least: number
  most: number
}

/** Returns the width that the table has if only its longest texts are broken. */
export const comfortableWidth = (table: TableBlock): number => sum(comfortable(wishesOf(table), table.size))

const comfortable = (wishes: readonly Wish[], size: number): number[] =>
  wishes.map(({ least, most }) => Math.max(least, Math.min(most, size * COMFORTABLE)))

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Returns the widths of the columns. Only where columns may be split is their sum more than `available`. */
export function columnWidths(table: TableBlock, available: number): number[] {
  const wishes = wishesOf(table)
  const whole = wishes.map(({ most }) => most)
  if (sum(whole) <= available) {
    return whole.map((each, at) => (at === table.widest ? each + available - sum(whole) : each))
  }
  const wide = comfortable(wishes, table.size)
  if (table.mayBeSplit && sum(wide) > available) return wide.map((each) => Math.min(each, available))
  const least = wishes.map((wish) => wish.least)
  const free = available - sum(least)
  // Where even single words do not fit, they are broken.
  if (free <= 0) return least.map((each) => (each * available) / sum(least))
  const wanted = sum(whole) - sum(least)
  return wishes.map((wish) => wish.least + (free * (wish.most - wish.least)) / wanted)
}

/** Returns the columns of each page. Every page begins with the first column. */
export function columnGroups(widths: readonly number[], available: number, mayBeSplit: boolean): number[][] {
  const all = widths.map((_, column) => column)
  const first = widths[0] ?? 0
  if (!mayBeSplit || sum(widths) <= available + 0.5) return [all]
  // A first column that takes most of the page is not repeated.
  const repeats = first < available / 3
  const groups: number[][] = [[]]
  let used = 0
  for (const column of all) {
    const width = widths[column] ?? 0
    const group = groups.at(-1) ?? []
    if (group.length > 0 && used + width > available) {
      groups.push(repeats ? [0, column] : [column])
      used = width + (repeats ? first : 0)
    } else {
      group.push(column)
      used += width
    }
  }
  return groups
}

function wishesOf(table: TableBlock): Wish[] {
  const { headers, sample, columns, size } = table
  const wishes: Wish[] = Array.from({ length: Math.min(columns, MAX_COLUMNS) }, () => ({
    least: 2 * PADDING + size,
    most: 2 * PADDING + size,
  }))
  for (const row of [...headers, ...sample]) {
    let column = 0
    for (const cell of row) {
      const wish = wishes[column]
      if (wish && (cell.columns ?? 1) === 1) {
        const { least, most } = measure(cell, size)
        wish.least = Math.max(wish.least, least)
        wish.most = Math.max(wish.most, most)
      }
      column += cell.columns ?? 1
    }
  }
  return wishes
}

function measure({ spans }: Cell, size: number): Wish {
  let room = SAMPLE_CHARACTERS
  let [least, most] = [0, 0]
  for (const { text, style } of spans) {
    const sample = text.slice(0, room)
    room -= sample.length
    for (const paragraph of sample.split('\n')) {
      const line = lineWidth([{ text: paragraph, style }], size)
      most = spans.length === 1 ? Math.max(most, line) : most + line
      for (const word of paragraph.split(/[^\S\u00a0\u202f]+/))
        least = Math.max(least, lineWidth([{ text: word, style }], size))
    }
  }
  // The sum of widths may differ from the width of the sum in the last digit.
  return { least: Math.min(least, size * MOST_FOR_A_WORD) + 2 * PADDING + 0.1, most: most + 2 * PADDING + 0.1 }
}

const lineWidth = (spans: Cell['spans'], size: number): number =>
  [...breakLines(spans, size, Infinity)].reduce((most, { width }) => Math.max(most, width), 0)
