import { pairsOf, termsOf } from './search-words.ts'

/** Longer terms are not words: users do not type them, and they would fill the index. */
const MAX_TERM_LENGTH = 64
/** A text search vector has at most a megabyte, and the title needs room as well. */
const MAX_BYTES = 900_000
const OVERHEAD = 10
/** Beyond this number, nearly all hashes occur and say nothing. */
const MAX_PAIRS = 15_000
export const PAIRS_UNKNOWN = '+'

/** Returns the text of a search vector of all terms, weighted by how often they occur. The rarest go if too many. */
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
