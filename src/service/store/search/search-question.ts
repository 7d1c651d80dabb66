import { PAIRS_UNKNOWN } from './search-vector.ts'
import { isUnspaced, pairsOf, searchWords, termsOf } from './search-words.ts'

/** A parsed search. Every phrase must occur; a single word is a phrase of one word. */
export interface Question {
  phrases: Phrase[]
}

interface Phrase {
  words: string[]
  /** The last word may be the beginning of a longer one. */
  isOpen: boolean
}

/** Further phrases are ignored, because the database compares each phrase with every text. */
const MAX_PHRASES = 32

/** `annual "share purchase" agr` -> annual, share purchase, agr…; an unclosed quote makes no phrase. */
export function parseQuestion(q: string): Question {
  const parts = [...q.replace(/\p{Cc}/gu, ' ').matchAll(/"([^"]*)"|[^\s"]+/g)]
  const phrases = parts.map((part, at) => ({
    words: searchWords(part[1] ?? part[0]),
    isOpen: part[1] === undefined && at === parts.length - 1,
  }))
  return { phrases: phrases.filter(({ words }) => words.length > 0).slice(0, MAX_PHRASES) }
}

/** Shorter beginnings are looked for only in titles: in texts they would match almost everything. */
const MIN_BEGINNING = 3

/** Maximum length of a word in PostgreSQL. The index holds no longer word: titles have 255 characters. */
const MAX_WORD_BYTES = 2046

/**
 * Operands of a text search query that every match contains somewhere. Words contain no operators. Empty if nothing can
 * match.
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

/** A folder name has 255 bytes, and normalization makes at most four of one. */
const MAX_FOLDER_WORD_BYTES = 1020

/** The same for names of folders, whose terms begin with the id of the workspace (`folder_terms`). */
export function folderOperandsOf({ phrases }: Question, workspaceId: number): string[] {
  if (phrases.some(({ words }) => words.some((word) => Buffer.byteLength(word) > MAX_FOLDER_WORD_BYTES))) return []
  return phrases.flatMap(({ words, isOpen }) =>
    words.map((word, at) => {
      const isCut = isOpen && at === words.length - 1 && !isUnspaced(word)
      return `'${workspaceId}/${word}'${isCut ? ':*' : ''}`
    }),
  )
}

/** Whether the question is only one or two letters, which nearly every match has in its title. */
export function isBeginningOfTitles({ phrases: [first, ...others] }: Question): boolean {
  return others.length === 0 && first?.isOpen === true && first.words.join(' ').length < MIN_BEGINNING
}

/**
 * Operands that an entry with the whole question in its title contains, and few others do. They are its whole words,
 * and the beginnings of title words (`title_terms`).
 */
export function titleOperandsOf({ phrases }: Question): string[] {
  return phrases.flatMap(({ words, isOpen }) => {
    const isCut = isOpen && !isUnspaced(words.at(-1) ?? '')
    const beginnings = words.filter((word) => !isUnspaced(word)).map((word) => `'^${[...word].slice(0, 2).join('')}'`)
    return [...indexed(isCut ? words.slice(0, -1) : words), ...beginnings]
  })
}

/** Pairs of unspaced characters are more selective than the characters, which then need no look-up. */
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

/** Patterns of those phrases that the index cannot confirm: several words in their order. */
export function phrasePatternsOf({ phrases }: Question): string[] {
  return phrases.filter(({ words }) => words.length > 1 && !isPair(words)).map(patternOf)
}

const isPair = (words: readonly string[]): boolean => words.length === 2 && words.every(isUnspaced)

function patternOf({ words, isOpen }: Phrase): string {
  const isCut = isOpen && !isUnspaced(words.at(-1) ?? '')
  return `% ${words.join(' ')}${isCut ? '' : ' '}%`
}
