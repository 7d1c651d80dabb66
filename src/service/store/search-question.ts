import { PAIRS_UNKNOWN } from './search-vector.ts'
import { isUnspaced, pairsOf, searchWords, termsOf } from './search-words.ts'

/** What is searched for: every phrase must occur; a phrase of one word is a word. */
export interface Question {
  phrases: Phrase[]
}

interface Phrase {
  words: string[]
  /** The last word may be the beginning of a longer one. */
  isOpen: boolean
}

/** Phrases behind these are ignored: the database compares each phrase with every text. */
const MAX_PHRASES = 32

/** `annual "share purchase" agr` -> annual, share purchase, agr…; an unclosed quote is none. */
export function parseQuestion(q: string): Question {
  const parts = [...q.replace(/\p{Cc}/gu, ' ').matchAll(/"([^"]*)"|[^\s"]+/g)]
  const phrases = parts.map((part, at) => ({
    words: searchWords(part[1] ?? part[0]),
    isOpen: part[1] === undefined && at === parts.length - 1,
  }))
  return { phrases: phrases.filter(({ words }) => words.length > 0).slice(0, MAX_PHRASES) }
}

/** Shorter beginnings are looked for in titles only: in texts they would match about everything. */
const MIN_BEGINNING = 3

/** What PostgreSQL takes in one word. The index holds none that is longer: titles have 255 characters. */
const MAX_WORD_BYTES = 2046

/**
 * What every match holds somewhere, each an operand of a text search query; words hold nothing that would be an operator.
 * There are none where nothing can match.
 */
export function operandsOf({ phrases }: Question): string[] {
  if (phrases.some(({ words }) => words.some((word) => Buffer.byteLength(word) > MAX_WORD_BYTES))) return []
  return phrases.flatMap(({ words, isOpen }) => {
    const last = words.at(-1) ?? ''
    if (!isOpen || isUnspaced(last)) return [...indexed(words), ...followers(words)]
    const whole = words.slice(0, -1)
    const beginning = last.length < MIN_BEGINNING ? `('${last}' | '^${last}')` : `'${last}':*`
    return [...indexed(whole), ...followers(whole), beginning]
  })
}

/** One or two letters, which nearly every match has in its title. */
export function isBeginningOfTitles({ phrases: [first, ...others] }: Question): boolean {
  return others.length === 0 && first?.isOpen === true && first.words.join(' ').length < MIN_BEGINNING
}

/** What an entry with all of it in the title holds, and few others: its whole words and how words there begin (`title_terms`). */
export function titleOperandsOf({ phrases }: Question): string[] {
  return phrases.flatMap(({ words, isOpen }) => {
    const isCut = isOpen && !isUnspaced(words.at(-1) ?? '')
    const beginnings = words.filter((word) => !isUnspaced(word)).map((word) => `'^${[...word].slice(0, 2).join('')}'`)
    return [...indexed(isCut ? words.slice(0, -1) : words), ...beginnings]
  })
}

/** Pairs of unspaced characters tell more than the characters, which then need not be looked up. */
function indexed(words: readonly string[]): string[] {
  const isPaired = (at: number) =>
    [words[at - 1], words[at + 1]].some((other) => other !== undefined && isUnspaced(other))
  const needed = words.filter((word, at) => !isUnspaced(word) || !isPaired(at))
  return [...needed, ...termsOf(words).slice(words.length)].map((term) => `'${term}'`)
}

function followers(words: readonly string[]): string[] {
  const pairs = Array.from(pairsOf(words), (pair) => `'${pair}'`)
  return pairs.length === 0 ? [] : [`(${pairs.join(' & ')} | '${PAIRS_UNKNOWN}')`]
}

/** Patterns for `like` on words that are separated and surrounded by spaces. */
export function patternsOf({ phrases }: Question): string[] {
  return phrases.map(patternOf)
}

/** Of those phrases alone that the index cannot vouch for: more than one word in their order. */
export function phrasePatternsOf({ phrases }: Question): string[] {
  return phrases.filter(({ words }) => words.length > 1 && !isPair(words)).map(patternOf)
}

const isPair = (words: readonly string[]): boolean => words.length === 2 && words.every(isUnspaced)

function patternOf({ words, isOpen }: Phrase): string {
  const isCut = isOpen && !isUnspaced(words.at(-1) ?? '')
  return `% ${words.join(' ')}${isCut ? '' : ' '}%`
}
