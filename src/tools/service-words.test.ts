import { expect, test } from 'vitest'
import { isForTests, readSources } from './sources.ts'

const WORDS = 'src/dashboard/api/service-words'

const texts = readSources(['src/service', 'src/proxy', 'src/embedded/demo'])
  .filter(({ path }) => !isForTests(path))
  .map(({ text }) => text)
  .join('\n')

const sentencesOf = (file: string) => {
  const [source] = readSources([WORDS]).filter(({ path }) => path.endsWith(file))
  return [...(source?.text ?? '').matchAll(/msg`([^`]+)`|message: '([^']+)'/g)].map(
    ([, whole, pattern = '']) => whole ?? pattern,
  )
}

const known = new Set(['documents.ts', 'demo.ts'].flatMap(sentencesOf))

/** Returns the longest text between the placeholders. */
const longestPiece = (sentence: string) =>
  sentence
    .split(/\{\w+\}/)
    .toSorted((one, other) => other.length - one.length)[0]
    ?.trim() ?? ''

test.each([...known])('the service says “%s”', (sentence) => {
  expect(texts).toContain(longestPiece(sentence))
})
