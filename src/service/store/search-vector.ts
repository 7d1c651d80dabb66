import { pairsOf, termsOf } from './search-words.ts'

/** Longer ones are no words: nobody types them, and they would fill the index. */
const MAX_TERM_LENGTH = 64
/** A text search vector has a megabyte at most; the title needs room as well. */
const MAX_BYTES = 900_000
const OVERHEAD = 10
/** Beyond it nearly all hashes occur, and tell nothing. */
const MAX_PAIRS = 15_000
export const PAIRS_UNKNOWN = '+'

/** A text search vector, as text, of all terms, whose weight tells how often each occurs. Of too many the rarest are left out. */
export function vectorOf(words: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const term of termsOf(words)) {
    if (term.length <= MAX_TERM_LENGTH) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  const pairs = distinctPairs(words)
  let bytes = pairs.length * (OVERHEAD + 5)
  const kept = [...counts]
    .sort((a, b) => b[1] - a[1])
    .filter(([term]) => {
      bytes += Buffer.byteLength(term) + OVERHEAD
      return bytes <= MAX_BYTES
    })
  const weighted = kept.map(([term, count]) => `'${term}':1${count > 7 ? 'B' : count > 2 ? 'C' : ''}`)
  return [...weighted, ...pairs.map((pair) => `'${pair}'`)].join(' ')
}

function distinctPairs(words: readonly string[]): string[] {
  const pairs = new Set<string>()
  for (const pair of pairsOf(words)) {
    if (pairs.add(pair).size > MAX_PAIRS) return [PAIRS_UNKNOWN]
  }
  return [...pairs]
}
