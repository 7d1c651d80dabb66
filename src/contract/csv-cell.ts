/** The beginning of a formula, also in full width, after characters that a spreadsheet skips or does not show. */
const FORMULA = String.raw`['"\p{Zs}\p{Cf}\v\f]*[=+@＝＋－＠-]`

/**
 * Where a cell may begin. Spreadsheets in some locales separate cells by semicolons or tabs and then do not see a
 * quotation mark after a comma, so a name such as `x;=1+1` may become two cells.
 */
const CELL_START = String.raw`(?:^|[;\t\r\n])`

const HARMFUL = new RegExp(`(${CELL_START})(?=${FORMULA})`, 'gu')
const NEUTRALIZED = new RegExp(`(${CELL_START})'(?=${FORMULA})`, 'gu')

/** Puts an apostrophe before any text that a spreadsheet would run as a formula. Numbers stay numbers. */
export function csvCell(value: string | number): string {
  return typeof value === 'number' ? String(value) : value.replaceAll(HARMFUL, "$1'")
}

/** Reverses `csvCell`. */
export function plainCell(text: string): string {
  return text.replaceAll(NEUTRALIZED, '$1')
}
