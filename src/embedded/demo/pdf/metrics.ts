/** Widths of Helvetica and Helvetica-Bold, U+0020 to U+007E, in thousandths of the size; other letters count as n. */
const REGULAR =
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584'
const BOLD =
  '278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584'

const WIDTHS = { regular: REGULAR.split(' ').map(Number), bold: BOLD.split(' ').map(Number) }

export type Weight = keyof typeof WIDTHS

/** Returns the width of the text in points. */
export function widthOf(text: string, size: number, weight: Weight = 'regular'): number {
  const widths = WIDTHS[weight]
  let sum = 0
  for (const letter of text) sum += widths[(letter.codePointAt(0) ?? 0) - 32] ?? 556
  return (sum * size) / 1000
}

export function wrap(text: string, width: number, size: number, weight: Weight = 'regular'): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trim()
    if (widthOf(longer, size, weight) <= width || lines.at(-1) === '') lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}
