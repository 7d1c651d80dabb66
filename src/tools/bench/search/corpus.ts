/** Made-up documents with the word frequencies of a language (Zipf): word n is a tenth as common as word n/10. */
export interface Corpus {
  document(number: number): { title: string; text: string }
  /** Kinds of questions; each call returns another question. */
  questions: Record<string, () => string>
}

const WORDS = 40_000
const LENGTH = 300
const CHARACTERS = 3000
const SYLLABLES = 'ba be bi bo ca ce co da de di do fa fe fi ga ge ha he in ka ke la le li lo ma me mi mo na ne ni no'
  .concat(' pa pe pi po ra re ri ro sa se si so ta te ti to un va ve vi wa we ya za zo')
  .split(' ')

export function createCorpus(): Corpus {
  const random = createRandom(7)
  const words = makeWords(random)
  /** Returns low numbers often and high numbers seldom. */
  const rank = (many: number) => Math.floor(many ** random()) - 1
  const word = () => words[rank(WORDS + 1)] ?? 'word'
  const character = () => String.fromCodePoint(0x4e00 + rank(CHARACTERS + 1))
  const times = (count: number, make: () => string) => Array.from({ length: count }, make)
  const wordBetween = (from: number, to: number) => words[from + Math.floor(random() * (to - from))] ?? 'word'
  const phrases: string[] = []
  const chinese: string[] = []

  return {
    document(number) {
      if (number % 20 === 0) {
        const text = times(LENGTH, character).join('')
        if (chinese.length < 500) chinese.push(text.slice(40, 43))
        return { title: `${times(4, character).join('')} ${number}.docx`, text }
      }
      const text = times(LENGTH, word).join(' ')
      if (phrases.length < 500) phrases.push(text.split(' ').slice(40, 43).join(' '))
      return { title: `${times(3, word).join(' ')} ${number}.docx`, text }
    },
    questions: {
      'a rare word': () => wordBetween(4000, WORDS),
      'two words': () => `${wordBetween(50, 2000)} ${wordBetween(500, 4000)}`,
      'three words': () => `${wordBetween(20, 500)} ${wordBetween(50, 2000)} ${wordBetween(50, 2000)}`,
      'a phrase': () => `"${phrases[Math.floor(random() * phrases.length)]}"`,
      'a beginning of three letters': () => wordBetween(0, WORDS).slice(0, 3),
      'a beginning of five letters': () => wordBetween(0, WORDS).slice(0, 5),
      'a beginning of one letter': () => wordBetween(0, WORDS).slice(0, 1),
      'Chinese, three characters': () => chinese[Math.floor(random() * chinese.length)] ?? '',
      'a number in the title': () => String(Math.floor(random() * 100_000)),
      'a common word': () => wordBetween(20, 200),
      'the most common word': () => words[0] ?? '',
    },
  }
}

function makeWords(random: () => number): string[] {
  const words = new Set<string>()
  while (words.size < WORDS) {
    const syllables = 2 + Math.floor(random() * 3)
    const next = () => SYLLABLES[Math.floor(random() * SYLLABLES.length)] ?? ''
    words.add(Array.from({ length: syllables }, next).join(''))
  }
  return [...words]
}

/** Pseudorandom numbers from 0 to below 1, the same in every run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
