/** Characters that hide, reorder or join text, or have no visible form. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}\u2800]/gu
const SPACES = /[\p{Z}\s]+/gu
/** More combining marks than any script stacks on one letter would tower over the neighbouring lines. */
const TOWERS = /(\p{M}{3})\p{M}+/gu
/** Separators between the facts on one line, which only the service may write. */
const SEPARATORS = /[·•‧∙⋅|]/gu

const MAX_CHARACTERS = 72

/** Returns a user's text as one line of a mark, cut between grapheme clusters. */
export function plainLine(text: string, max = MAX_CHARACTERS): string {
  const plain = text
    .normalize('NFC')
    .replace(SPACES, ' ')
    .replace(UNSEEN, '')
    .replace(SEPARATORS, ' ')
    .replace(TOWERS, '$1')
    .replace(/ +/g, ' ')
    .trim()
  // Limits the input, because segmenting takes time.
  const characters = [...new Intl.Segmenter('en').segment(plain.slice(0, max * 8))].map(({ segment }) => segment)
  return characters.length <= max
    ? plain
    : `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
}

/** Splits a text into lines, and breaks long lines between words. */
export function plainLines(text: string, maxLines: number): string[] {
  const lines = text
    .split(/[\n\r\u0085\u2028\u2029]+/u)
    .flatMap((line) => wrap(plainLine(line, MAX_CHARACTERS * maxLines)))
  return lines.filter((line) => line !== '').slice(0, maxLines)
}

function wrap(line: string): string[] {
  const lines: string[] = []
  let current = ''
  for (const word of line.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`
    if (longer.length <= MAX_CHARACTERS) current = longer
    else {
      if (current !== '') lines.push(current)
      current = plainLine(word)
    }
  }
  return [...lines, current]
}
