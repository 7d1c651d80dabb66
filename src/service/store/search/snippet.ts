import { isUnspaced, type PlacedWord, placedWords } from './search-words.ts'

/** A passage of a text with matches. */
export interface Snippet {
  text: string
  /** Places of the matches in `text`, in order: the first UTF-16 code unit, and the one behind the last. */
  marks: Mark[]
  /** Number of matches in the whole text. */
  hits: number
}

export interface Mark {
  start: number
  end: number
}

const BEFORE = 60
const LENGTH = 220

/** Returns the places of all matches of the patterns, in order. */
export const placesOf = (text: string, patterns: readonly string[]): Mark[] =>
  marksOf(placedWords(text), readPatterns(patterns))

/** Returns the passage with most matches of the patterns, which come from search-question.ts. */
export function snippetOf(text: string, patterns: readonly string[]): Snippet | undefined {
  const words = placedWords(text)
  const marks = marksOf(words, readPatterns(patterns))
  const first = densest(marks)
  if (first === undefined) return undefined
  const start = words.find((word) => word.end > first.start - BEFORE)?.start ?? 0
  const end = Math.max(first.end, words.findLast((word) => word.end <= start + LENGTH)?.end ?? 0)
  // Includes the punctuation behind the last word.
  const next = words.find((word) => word.start >= end)?.start ?? text.length
  return {
    text: inOneLine(text, start, Math.min(next, end + 10)),
    marks: marks
      .filter((mark) => mark.start >= start && mark.end <= end)
      .map((mark) => ({ start: mark.start - start, end: mark.end - start })),
    hits: marks.length,
  }
}

/** Shorter lines are cells of a table or lines of a list rather than lines of a paragraph. */
const SHORT_LINE = 40

/** Returns a passage with tabs where a cell or short line ends. Replaces one unit by one unit, so that places stay valid. */
function inOneLine(text: string, start: number, end: number): string {
  let length = start === 0 ? 0 : start - 1 - text.lastIndexOf('\n', start - 1)
  return Array.from(text.slice(start, end).trimEnd().split(''), (unit, at) => {
    // Scripts without spaces break anywhere, and their lines have few characters.
    const isShort = length < SHORT_LINE && !isUnspaced(text[start + at - 1] ?? '')
    length = unit === '\n' ? 0 : length + 1
    return unit === '\n' && isShort ? '\t' : unit === '\t' ? unit : unit.replace(/\s/, ' ')
  }).join('')
}

interface Phrase {
  words: string[]
  isOpen: boolean
}

interface Phrases {
  /** Phrases keyed by their first word, which must match exactly. */
  byFirstWord: Map<string, Phrase[]>
  /** Single words that may be the beginning of a longer word: at most the last word of a question. */
  beginnings: Phrase[]
}

function readPatterns(patterns: readonly string[]): Phrases {
  const phrases = Array.from(new Set(patterns), readPattern)
  const isBeginning = ({ words, isOpen }: Phrase) => isOpen && words.length === 1
  return {
    byFirstWord: Map.groupBy(
      phrases.filter((phrase) => !isBeginning(phrase)),
      ({ words }) => words[0] ?? '',
    ),
    beginnings: phrases.filter(isBeginning),
  }
}

const readPattern = (pattern: string): Phrase => ({
  words: pattern.replaceAll('%', '').trim().split(' '),
  isOpen: !pattern.endsWith(' %'),
})

function marksOf(words: readonly PlacedWord[], { byFirstWord, beginnings }: Phrases): Mark[] {
  const marks: Mark[] = []
  for (const [at, { word, start }] of words.entries()) {
    for (const phrase of byFirstWord.get(word)?.concat(beginnings) ?? beginnings) {
      const end = words[at + phrase.words.length - 1]?.end
      const before = marks.at(-1)
      if (end === undefined || !isAt(words, at, phrase)) continue
      if (before !== undefined && start < before.end) before.end = Math.max(before.end, end)
      else marks.push({ start, end })
    }
  }
  return marks
}

function isAt(words: readonly PlacedWord[], at: number, { words: wanted, isOpen }: Phrase): boolean {
  const last = wanted.length - 1
  for (let offset = 0; offset < last; offset++) if (words[at + offset]?.word !== wanted[offset]) return false
  const [word = '', want = ''] = [words[at + last]?.word, wanted[last]]
  return isOpen ? word.startsWith(want) : word === want
}

/** The mark that is followed by most others within a snippet. */
function densest(marks: readonly Mark[]): Mark | undefined {
  let best: Mark | undefined
  let most = 0
  marks.forEach((mark, at) => {
    let behind = at
    while ((marks[behind + 1]?.end ?? Infinity) - mark.start <= LENGTH - BEFORE) behind++
    if (behind - at + 1 <= most) return
    most = behind - at + 1
    best = mark
  })
  return best
}
