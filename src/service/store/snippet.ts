import { type PlacedWord, placedWords } from './search-words.ts'

/** A place of a text where something matches. */
export interface Snippet {
  text: string
  /** Where in it: first and behind the last UTF-16 code unit of each match, in order. */
  marks: Mark[]
}

interface Mark {
  start: number
  end: number
}

const BEFORE = 60
const LENGTH = 220

/** The place with most matches of the patterns, which are those of search-question.ts. */
export function snippetOf(text: string, patterns: readonly string[]): Snippet | undefined {
  const words = placedWords(text)
  const marks = marksOf(words, patterns.map(readPattern))
  const first = densest(marks)
  if (first === undefined) return undefined
  const start = words.find((word) => word.end > first.start - BEFORE)?.start ?? 0
  const end = Math.max(first.end, words.findLast((word) => word.end <= start + LENGTH)?.end ?? 0)
  // With the punctuation behind the last word.
  const next = words.find((word) => word.start >= end)?.start ?? text.length
  return {
    // One unit for one: the places stay.
    text: text
      .slice(start, Math.min(next, end + 10))
      .trimEnd()
      .replaceAll(/\s/g, ' '),
    marks: marks
      .filter((mark) => mark.start >= start && mark.end <= end)
      .map((mark) => ({ start: mark.start - start, end: mark.end - start })),
  }
}

interface Phrase {
  words: string[]
  isOpen: boolean
}

const readPattern = (pattern: string): Phrase => ({
  words: pattern.replaceAll('%', '').trim().split(' '),
  isOpen: !pattern.endsWith(' %'),
})

function marksOf(words: readonly PlacedWord[], phrases: readonly Phrase[]): Mark[] {
  const marks: Mark[] = []
  words.forEach(({ start }, at) => {
    for (const phrase of phrases) {
      const end = words[at + phrase.words.length - 1]?.end
      const before = marks.at(-1)
      if (end === undefined || !isAt(words, at, phrase)) continue
      if (before !== undefined && start < before.end) before.end = Math.max(before.end, end)
      else marks.push({ start, end })
    }
  })
  return marks
}

function isAt(words: readonly PlacedWord[], at: number, { words: wanted, isOpen }: Phrase): boolean {
  return wanted.every((want, offset) => {
    const word = words[at + offset]?.word ?? ''
    return isOpen && offset === wanted.length - 1 ? word.startsWith(want) : word === want
  })
}

/** The mark behind which most others follow within a snippet. */
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
