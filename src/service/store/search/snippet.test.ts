import { expect, test } from 'vitest'
import { parseQuestion, patternsOf } from './search-question.ts'
import { snippetOf } from './snippet.ts'
import { isUnspaced, placedWords, searchWords } from './search-words.ts'

const marked = (text: string, q: string) => {
  const found = snippetOf(text, patternsOf(parseQuestion(q)))
  return found?.marks.map(({ start, end }) => found.text.slice(start, end))
}

test.each<[string, string, string[]]>([
  ['one two three', 'two thr', ['two', 'three']],
  ['one two three', '"two three" two', ['two three']],
  ['one two three', '"two four" one two two', ['one', 'two']],
  ['契約 contract 契約書', '契約', ['契約', '契約']],
  ['½ and Évaluation', 'evaluation', ['Évaluation']],
])('in %j, the search %j marks %j', (text, q, marks) => expect(marked(text, q)).toEqual(marks))

test('cells and short lines stay apart, lines of a paragraph do not, and all matches are counted', () => {
  const text = `Quay\t12\t${'-\t'.repeat(200)}\nquay\n9\n`
  const found = snippetOf(text, patternsOf(parseQuestion('quay')))
  expect([found?.text.slice(0, 8), found?.hits, found?.marks.length]).toEqual(['Quay\t12\t', 2, 1])
  const lines = `The harbour was dredged in the spring of last year\nand the quay\r\n12`
  expect(snippetOf(lines, patternsOf(parseQuestion('quay')))?.text).toBe(
    'The harbour was dredged in the spring of last year and the quay \t12',
  )
})

test('K3: many phrases in a text of many words take little time', () => {
  const chars = String.fromCharCode(...Array.from({ length: 8000 }, (_, at) => 0x4e00 + at))
  const texts = [chars, 'é '.repeat(4000), '契'.repeat(8000)]
  const patterns = ['% é %', '% 契 %'].flatMap((pattern) => Array<string>(125).fill(pattern))
  const begun = process.cpuUsage()
  for (const text of texts) {
    for (let round = 0; round < 10; round++) {
      snippetOf(text, patterns)
      snippetOf(
        text,
        Array.from(chars.slice(0, 250), (each) => `% ${each} %`),
      )
    }
  }
  expect(process.cpuUsage(begun).user / 1000).toBeLessThan(1500)
})

test('K3: a question has at most 32 phrases, and further ones are ignored', () => {
  const phrases = Array.from({ length: 100 }, (_, at) => `"word ${at}"`)
  expect(parseQuestion(phrases.join(' '))).toEqual(parseQuestion(phrases.slice(0, 32).join(' ')))
})

test('Han and Hangul are compared as written', () => {
  const all = Array.from({ length: 0xd7a4 - 0x3400 }, (_, at) => String.fromCharCode(0x3400 + at)).filter(isUnspaced)
  expect(all.filter((each) => placedWords(each)[0]?.word !== searchWords(each).join())).toEqual([])
})
