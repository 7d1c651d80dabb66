/** Characters of a document's text that are kept: about a thousand pages. */
export const MAX_TEXT_LENGTH = 2_000_000

/** Returns text that the database can hold: no NUL, no lone surrogates, limited length. */
export function keepable(text: string): string {
  return tidy(text.slice(0, MAX_TEXT_LENGTH).replaceAll('\0', ' ').toWellFormed())
}

/** Removes the white space that markup leaves around lines, and keeps at most one empty line in a row. */
export function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines
    .filter((line, at) => line !== '' || (at > 0 && lines[at - 1] !== ''))
    .join('\n')
    .trim()
}
