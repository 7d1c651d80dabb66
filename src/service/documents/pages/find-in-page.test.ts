import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DrawnWord, PageText } from '../render.ts'
import { type FindQuestion, finderOf, MAX_PAGE_HITS } from './find-in-page.ts'

/** Lays words out in one line, ten pixels for each unit and for each space. */
function pageOf(text: string): PageText {
  const words = [...text.matchAll(/\S+/g)].map(({ 0: word, index }): DrawnWord => {
    const edges = Array.from(word, (_, at) => (at + 1) * 10)
    return [index, index + word.length, index * 10, 100, word.length * 10, 12, ...edges]
  })
  return { text, words, partial: false }
}

const PLAIN = { each_word: false, match_case: false, whole_words: false }

function placesOf(text: string, q: string, more: Partial<FindQuestion> = {}) {
  const hits = finderOf({ ...PLAIN, ...more, q })(pageOf(text))
  return hits.map((boxes) => boxes.map(({ x, width }) => [x, x + width]))
}

test.each([
  ['a part of a word', 'unfathomed', 'fathom', [20, 80]],
  ['accents and case', 'Café', 'CAFE', [0, 40]],
  ['a part of a ligature, which is marked whole', 'o\ufb03ce', 'of', [0, 20]],
  ['the second half of a ligature', 'o\ufb03ce', 'ice', [10, 40]],
  ['typographic quotes', 'Bob’s', "bob's", [0, 50]],
  ['a word divided at the end of a line', 'har\u00adbour', 'harbour', [0, 80]],
])('finds %s', (_, text, q, place) => {
  expect(placesOf(text, q)).toEqual([[place]])
})

test('marks a passage of several words in one box, whatever its spaces', () => {
  expect(placesOf('over  the cliff', 'the cliff')).toEqual([[[60, 150]]])
})

test('whole words and case count only where asked for', () => {
  expect(placesOf('Art artful art', 'art', { whole_words: true })).toEqual([[[0, 30]], [[110, 140]]])
  expect(placesOf('Art artful art', 'art', { whole_words: true, match_case: true })).toEqual([[[110, 140]]])
})

test('lists a limited number of hits', () => {
  expect(placesOf('a'.repeat(5000), 'a')).toHaveLength(MAX_PAGE_HITS)
  expect(placesOf('anything', '  ')).toEqual([])
})

test('plain characters are found where they are found beside others', () => {
  const letters = fc.constantFrom('a', 'A', 'b', "'", '-', ' ', '\n', '\t', '~')
  const how = fc.record({ match_case: fc.boolean(), whole_words: fc.boolean() })
  const told = { text: fc.array(letters, { maxLength: 30 }), q: fc.array(letters, { maxLength: 3 }), how }
  fc.assert(
    fc.property(fc.record(told), ({ text, q, how }) => {
      const plain = text.join('')
      expect(placesOf(plain, q.join(''), how)).toEqual(placesOf(`${plain} é`, q.join(''), how))
    }),
  )
})
