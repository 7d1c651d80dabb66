import { hash } from 'node:crypto'

/** Equals the function search_words of the database (0011_search_content.sql), which processes titles. */

const MARKS =
  '\\u00ad\\u0300-\\u036f\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8\\u06ea-\\u06ed\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff'
const LETTERS: Record<string, string> = { ٱ: 'ا', ى: 'ي', ی: 'ي', ة: 'ه', ک: 'ك', ς: 'σ' }
const UNSPACED =
  '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u2e80-\\u2fff\\u3005-\\u3007\\u3021-\\u9fff\\uac00-\\ud7a3\\uf900-\\ufaff\\u{20000}-\\u{3ffff}'
const SEPARATORS =
  '\\0-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965\\u1680\\u180e\\u2000-\\u200d\\u2010-\\u2029\\u202f-\\u205f\\u2190-\\u2bff\\u3000-\\u3004\\u3008-\\u3020\\ufff9-\\uffff'
const WORD = new RegExp(`[${UNSPACED}]|[^${SEPARATORS}${UNSPACED}]+`, 'gu')
const EACH_MARK = new RegExp(`[${MARKS}]`, 'gu')
/** A word as written, with the marks that normalization removes. */
const WRITTEN_WORD = new RegExp(`[${UNSPACED}]|(?:[^${SEPARATORS}${UNSPACED}]|[${MARKS}])+`, 'gu')
const ONE_UNSPACED = new RegExp(`^[${UNSPACED}]$`, 'u')

/** Whether a word is a character of a script without spaces: each such character is a word. */
export const isUnspaced = (word: string): boolean => ONE_UNSPACED.test(word)

/** Marks beyond Unicode's stream-safe format: normalization sorts the marks of a letter in quadratic time. */
const SURPLUS_MARKS = /(\p{M}{30})\p{M}+/gu

/** Returns the words of a text in the form in which they are compared. */
export function searchWords(text: string): string[] {
  return (
    text
      .replace(SURPLUS_MARKS, '$1')
      .toLowerCase()
      .normalize('NFKD')
      .replace(EACH_MARK, '')
      .normalize('NFC')
      .replaceAll(/[ٱىیةکς]/g, (letter) => LETTERS[letter] ?? letter)
      .match(WORD) ?? []
  )
}

/** A word of a text and its place, in UTF-16 code units. */
export interface PlacedWord {
  word: string
  start: number
  end: number
}

/** Han and Hangul characters: they are most of the words of such a text, and normalization does not change them. */
const IS_PLAIN_UNSPACED = /^[\u3400-\u9fff\uac00-\ud7a3]$/

export function placedWords(text: string): PlacedWord[] {
  const known = new Map<string, string[]>()
  return [...text.matchAll(WRITTEN_WORD)].flatMap(({ 0: written, index: start }) => {
    const end = start + written.length
    if (IS_PLAIN_UNSPACED.test(written)) return [{ word: written, start, end }]
    // Most words: there is nothing about them to normalize.
    // oxlint-disable-next-line no-control-regex
    if (/^[\0-\x7f]+$/.test(written)) return [{ word: written.toLowerCase(), start, end }]
    const words = known.get(written) ?? searchWords(written)
    known.set(written, words)
    return words.map((word) => ({ word, start, end }))
  })
}

/** Returns the terms of the index: each word, and each pair of adjacent characters of scripts without spaces. */
export function termsOf(words: readonly string[]): string[] {
  const pairs = words.flatMap((word, at) => {
    const next = words[at + 1]
    return next !== undefined && isUnspaced(word) && isUnspaced(next) ? [word + next] : []
  })
  return [...words, ...pairs]
}

/**
 * Yields terms for words that follow each other. All texts with a phrase have its terms, and hardly any other text has
 * them. Adjacent characters of scripts without spaces are skipped: `termsOf` has those pairs as they are.
 */
export function* pairsOf(words: readonly string[]): Generator<string> {
  for (const [at, word] of words.entries()) {
    const next = words[at + 1]
    if (next === undefined || (isUnspaced(word) && isUnspaced(next))) continue
    yield `+${hash('md5', `${word} ${next}`).slice(0, 4)}`
  }
}
