import { expect, it, vi } from 'vitest'
import { TookTooLong } from './took-too-long.ts'
import { compare, type Comparison } from './compare.ts'

const MARKS = { same: ['', ''], added: ['{+', '+}'], removed: ['[-', '-]'] } as const
const shown = (comparison: Comparison) =>
  comparison?.map((passage) =>
    passage
      .map(({ kind, text }) => `${MARKS[kind][0]}${text.replaceAll(/\s+/g, ' ').trim()}${MARKS[kind][1]}`)
      .join(' '),
  )
const between = async (former: string, present: string) => shown(await compare(former, present))

const WORDS = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen'

it('tells which words are gone and which are new, and nothing about line breaks', async () => {
  expect(await between('Keep it secret for two years.', 'Keep it\nsecret for\n\nthree years.')).toEqual([
    'Keep it secret for [-two-] {+three+} years.',
  ])
  expect(await between('Keep it\nsecret.', 'Keep it secret.')).toEqual([])
  expect(await between('', 'Keep it.')).toEqual(['{+Keep it.+}'])
  expect(await between('Keep it.', '')).toEqual(['[-Keep it.-]'])
})

it('shows some words around a change, and changes that are far apart by themselves', async () => {
  const [first, second] = await between2(`a ${WORDS} ${WORDS} ${WORDS} b`, `x ${WORDS} ${WORDS} ${WORDS} y`)
  expect(first).toBe('[-a-] {+x+} one two three four five six seven eight nine ten eleven twelve')
  expect(second).toBe('five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen [-b-] {+y+}')
  expect(await between(`a ${WORDS} b`, `x ${WORDS} y`)).toHaveLength(1)

  async function between2(former: string, present: string) {
    const passages = await between(former, present)
    expect(passages).toHaveLength(2)
    return passages ?? []
  }
})

it('keeps the ends of paragraphs, and no other line breaks', async () => {
  const text = (years: string) => `1.1 It is\nsecret for ${years}\nyears.\n1.2 Tell\nnobody.\n\nThe end`
  const [passage] = (await compare(text('two'), text('three'))) ?? []
  const lines = passage?.filter(({ kind }) => kind !== 'removed').map((piece) => piece.text)
  expect(lines?.join('')).toBe('1.1 It is secret for three years.\n1.2 Tell nobody.\nThe end')
})

it('joins changes with few words between them', async () => {
  expect(await between('The buyer and the seller agree', 'The tenant and the landlord agree')).toEqual([
    'The [-buyer and the seller-] {+tenant and the landlord+} agree',
  ])
})

it('compares scripts without spaces by their characters', async () => {
  expect(await between('保密协议有效期为两年', '保密协议有效期为三年')).toEqual([
    expect.stringMatching(/\[-两-\] \{\+三\+\} 年$/),
  ])
})

it('compares long texts with few changes, and gives long texts without anything in common up', async () => {
  const long = Array.from({ length: 60_000 }, (_, at) => `word${at}`)
  const changed = long.with(30_000, 'other')
  expect(await between(long.join(' '), changed.join(' '))).toHaveLength(1)
  const foreign = long.map((word) => `x${word}`)
  expect(await between(long.join(' '), foreign.join(' '))).toBeUndefined()
  expect(await between('x'.repeat(600_000), 'y'.repeat(600_000))).toBeUndefined()
})

const words = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `${COMMON[at % 7]} w${from + at}`)
const COMMON = ['the', 'of', 'and', 'to', 'shall', 'any', 'party']

it('compares ordinary revisions, in which every tenth or every third word is another', async () => {
  for (const each of [10, 3]) {
    const long = words(30_000)
    const changed = long.map((word, at) => (at % (7 * each) === 0 ? 'other' : word))
    const passages = await between(long.join(' '), changed.join(' '))
    const marked = passages?.join(' ').match(/\{\+[^+]*\+\}/g)
    expect(marked?.filter((words) => words.includes('other'))).toHaveLength(Math.ceil(30_000 / (7 * each)))
  }
})

it('tells a part that was written anew as replaced, and compares the others', async () => {
  const [before, old, after] = [words(4000), words(3000, 10_000), words(4000, 20_000)]
  const passages = await between(
    [...before, ...old, ...after].join(' '),
    [...before, ...words(3000, 50_000), ...after.with(2000, 'other')].join(' '),
  )
  expect(passages).toHaveLength(2)
  expect(passages?.[1]).toContain('{+other+}')
})

it('finds the same changes whatever they stand between', async () => {
  const long = words(500).join(' ')
  expect(await between(`a ${long} b`, `a ${long} c`)).toEqual([expect.stringMatching(/\[-b-\] \{\+c\+\}$/)])
  expect(await between(`${long} b ${long}`, `${long} c ${long}`)).toEqual([expect.stringContaining('[-b-] {+c+}')])
})

it('stops after some seconds, and says so', async () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 8000))
  await expect(compare(words(50).join(' '), words(50, 9).join(' '))).rejects.toBeInstanceOf(TookTooLong)
  vi.restoreAllMocks()
})

it('a version that only adds to a long text is compared', async () => {
  const long = Array.from({ length: 20_000 }, (_, at) => `word${at}`).join(' ')
  expect(await between(long, `${long}\n\nNew clause`)).toEqual([expect.stringMatching(/word19999 \{\+New clause\+\}$/)])
})
