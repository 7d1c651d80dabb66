/** The beginning of a formula, full width as well, behind what a spreadsheet skips or shows nothing of. */
const FORMULA = String.raw`['"\p{Zs}\p{Cf}\v\f]*[=+@＝＋－＠-]`

/**
 * Where a cell may begin. Spreadsheets of other countries separate cells by semicolons or tabs and find no quotation mark
 * that stands behind a comma, so a name such as `x;=1+1` may become two cells.
 */
const CELL_START = String.raw`(?:^|[;\t\r\n])`

const HARMFUL = new RegExp(`(${CELL_START})(?=${FORMULA})`, 'gu')
const NEUTRALIZED = new RegExp(`(${CELL_START})'(?=${FORMULA})`, 'gu')

/** The content of a cell with an apostrophe before everything that a spreadsheet would run. Numbers stay numbers. */
export function csvCell(value: string | number): string {
  return typeof value === 'number' ? String(value) : value.replaceAll(HARMFUL, "$1'")
}

/** The text as it was before `csvCell`. */
export function plainCell(text: string): string {
  return text.replaceAll(NEUTRALIZED, '$1')
}
