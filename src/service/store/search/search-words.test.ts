import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Db, openPool } from '../../db/pool.ts'
import { createDatabase } from '../../testing/database/postgres.ts'
import { vectorOf } from './search-vector.ts'
import { pairsOf, placedWords, searchWords, termsOf } from './search-words.ts'

describe('the words of a text', () => {
  test.each<[string, string[]]>([
    ['Annual_Report-2025.PDF', ['annual', 'report', '2025', 'pdf']],
    ['Übersicht naïve Œuvre', ['ubersicht', 'naive', 'œuvre']],
    ['ﬁnance ＡＢＣ ｶﾞ', ['finance', 'abc', 'ガ']],
    ['租賃 agreement契約', ['租', '賃', 'agreement', '契', '約']],
    ['がんばる', ['が', 'ん', 'ば', 'る']],
    ['계약서', ['계', '약', '서']],
    ['ไทย', ['ไ', 'ท', 'ย']],
    ['العَقْدُ المُوَقَّع', ['العقد', 'الموقع']],
    ['أحمد إحمد آحمد ٱحمد', ['احمد', 'احمد', 'احمد', 'احمد']],
    ['شركـــة على', ['شركه', 'علي']],
    ['co\u00adoper\u00adate \u202eright\u202c', ['cooperate', 'right']],
    ['ΟΔΟΣ οδός', ['οδοσ', 'οδοσ']],
    ['İstanbul', ['istanbul']],
    ['\u0301 — … 。、', []],
  ])('%j are %j', (text, words) => expect(searchWords(text)).toEqual(words))

  test('K3: of a letter with a million marks are found in linear time', () => {
    const begun = process.cpuUsage()
    expect(
      searchWords(
        `caf${'e\u0301\u0315'.repeat(3)} ${'a\u0315\u1ab0\u0300'.repeat(1)}${'\u0315\u1ab0'.repeat(500_000)} end`,
      ).at(-1),
    ).toBe('end')
    expect(process.cpuUsage(begun).user / 1000).toBeLessThan(5000)
  })

  test('keep their places in the text, however they are written', () => {
    const text = 'The “Évalu\u00adation” of 契約; ½ done.'
    expect(placedWords(text).map(({ word, start, end }) => [word, text.slice(start, end)])).toEqual([
      ['the', 'The'],
      ['evaluation', 'Évalu\u00adation'],
      ['of', 'of'],
      ['契', '契'],
      ['約', '約'],
      ['done', 'done'],
    ])
  })

  test('include pairs of adjacent unspaced characters', () => {
    expect(termsOf(['a', '契', '約', '書', 'b'])).toEqual(['a', '契', '約', '書', 'b', '契約', '約書'])
  })

  test('become a vector within the size limit, without the rarest words', () => {
    const many = Array.from({ length: 200_000 }, (_, at) => `word${at}`)
    const vector = vectorOf([...many, 'often', 'often', 'often', 'x'.repeat(65)])
    expect(vector).toMatch(/^'often':1C 'word0':1 /)
    expect(Buffer.byteLength(vector)).toBeLessThan(1024 ** 2)
    expect(vector).not.toContain('xxx')
  })
})

describe('the database', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let db: Db
  beforeAll(async () => {
    database = await createDatabase(inject('databaseUrl'))
    db = openPool(database.url, 1)
  })
  afterAll(async () => {
    await db.destroy()
    await database.drop()
  })
  const inDatabase = async (text: string) =>
    (await sql<{ words: string }>`select search_words(${text}) as words`.execute(db)).rows[0]?.words

  /** Characters of scripts in use, with marks, separators and compatibility forms. */
  const characters = fc.constantFrom(
    ...'aZ09_- .,;:\'"\\/%&|!()<>*^~`´¨ÄÖüßéèñçİıŁøœæﬁ①½²ªº×÷ΑΩςσάЖйёїАٱأإآىیةکـَّّ،؛؟۔אָבּךשׁहिन्दी।กำไทยพม่า漢字かながカナ々〆ー「」。、ㄅ한글각ａＺ０ｶﾞ😀👍🏽€→…—“”\u00a0\u00ad\u200b\u200d\u200e\u202e\u2060\ufeff\u0301\u3099',
  )
  test('finds the same words in titles', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: characters, maxLength: 40 }), async (text) => {
        expect(await inDatabase(text)).toBe(searchWords(text).join(' '))
      }),
      { numRuns: 1500 },
    )
  })

  test('accepts every vector', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: characters, maxLength: 200 }), async (text) => {
        const words = searchWords(text)
        const terms = new Set([...termsOf(words), ...pairsOf(words)].filter((term) => term.length <= 64))
        const { rows } = await sql<{ length: number }>`
          select length(${vectorOf(words)}::tsvector) as length`.execute(db)
        expect(rows[0]?.length).toBe(terms.size)
      }),
      { numRuns: 300 },
    )
  })
})
