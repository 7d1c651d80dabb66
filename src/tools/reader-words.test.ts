import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCatalogs } from '@lingui/cli/api'
import { getConfig } from '@lingui/conf'
import { beforeAll, describe, expect, it } from 'vitest'
import { isShownReason, SHOWN_REFUSALS } from '../contract/refusals.ts'
import { REFUSALS_IN_GERMAN as OF_PROXY } from '../proxy/own-pages/plain-page.ts'
import { languageOf, partsOf, REFUSALS_IN_GERMAN, refusalOf, WORDS } from '../reader/words.ts'
import { ROOT } from './sources.ts'
import { textsOutside } from './texts.ts'

// The words of the reader inside sealed copies, in both languages.

/** German by English, as the dashboard has it. */
let german: Map<string, string>

beforeAll(async () => {
  const catalogs = await getCatalogs(getConfig({ configPath: join(ROOT, 'src/tools/lingui.config.ts') }))
  const read = await Promise.all(catalogs.map((catalog) => catalog.read('de')))
  const messages = read.flatMap((catalog) => Object.entries(catalog ?? {}))
  german = new Map(messages.map(([id, { message, translation = '' }]) => [message ?? id, translation]))
})

const english: Record<string, string> = WORDS.en
const words: Record<string, string> = WORDS.de
const source = (name: string) => readFileSync(join(ROOT, 'src/reader', name), 'utf8')
const shell = source('shell.html')

describe('the words of the reader', () => {
  it('are there in both languages, with the same values', () => {
    expect(Object.keys(words)).toEqual(Object.keys(english))
    for (const text of [...Object.values(words), ...Object.values(english)]) expect(text).toMatch(/^\S.*\S$/)
    const valuesOf = (text = '') => (text.match(/\{\w+\}/g) ?? []).toSorted()
    for (const [key, text] of Object.entries(english))
      expect([key, valuesOf(words[key])]).toEqual([key, valuesOf(text)])
    expect(Object.entries(words).filter(([key, text]) => text === english[key])).toEqual([])
  })

  it('are those of the dashboard where it says the same', () => {
    const shared = Object.entries(english).filter(([, text]) => german.has(text))
    expect(shared.map(([key]) => key)).toEqual(
      expect.arrayContaining(['open', 'cancel', 'pages', 'document', 'page_of']),
    )
    for (const [key, text] of shared) expect([key, words[key]]).toEqual([key, german.get(text)])
  })

  it.each([
    ['of the reader', REFUSALS_IN_GERMAN],
    ['of the pages of the proxy', OF_PROXY],
  ])('say refusals as the dashboard does: those %s', (_, refusals) => {
    for (const [reason, text] of Object.entries(refusals)) {
      const sentence = isShownReason(reason) ? SHOWN_REFUSALS[reason].sentence : ''
      expect([reason, text]).toEqual([reason, german.get(sentence)])
      // Neither has values for sentences that need some.
      expect(sentence).not.toContain('{')
    }
  })

  it('are nowhere else, but for the reader that runs no script', () => {
    expect(textsOutside('src/reader').filter(({ path }) => !path.endsWith('/words.ts'))).toEqual([])
    const texts = [...shell.matchAll(/>([^<]*[^<\s][^<]*)</g)].map(([, text = '']) => text.trim())
    expect(texts).toEqual(['Strongroom', expect.stringMatching(/needs/), expect.stringMatching(/braucht/), '100 %'])
    expect(shell).not.toMatch(/\s(aria-label|title|alt|placeholder)=/)
  })

  it('are all used, and no others', () => {
    const code = ['main.ts', 'opening.ts', 'pages.ts', 'elements.ts', 'words.ts'].map(source).join('\n')
    const asked = [
      ...[...shell.matchAll(/data-(?:text|label)="([^"]*)"/g)].map(([, key = '']) => key),
      ...[...code.matchAll(/(?:textOf\(|put\([^,]*, )'(\w+)'/g)].map(([, key = '']) => key),
    ]
    expect([...new Set(asked)].toSorted()).toEqual(Object.keys(english).toSorted())
  })
})

describe('what a file or the service brings', () => {
  it('stays what it is in a text', () => {
    const parts = partsOf('made_for', { reader: '{day} <b> $& {reader}', day: '3 Mar 2026' })
    expect(parts.filter((_, at) => at % 2 === 1)).toEqual(['{day} <b> $& {reader}', '3 Mar 2026'])
  })

  it('is said as the service says it, if the reason is not known', () => {
    for (const reason of ['__proto__', 'constructor', 'a_later_one'])
      expect(refusalOf({ reason, message: 'Not now.' })).toBe('Not now.')
    expect(refusalOf({})).toBe(WORDS.en.try_again)
  })
})

describe('the language of the reader', () => {
  it.each([
    [['de-DE', 'de', 'en'], 'de'],
    [['de'], 'de'],
    [['DE-at'], 'de'],
    [['fr-FR', 'de-CH', 'en'], 'de'],
    [['fr', 'en-GB', 'de'], 'en'],
    [['den', 'dexter-DE'], 'en'],
    [['constructor', ''], 'en'],
    [[], 'en'],
  ])('is the first one of %j that it has, or else English', (tags, language) => {
    expect(languageOf(tags)).toBe(language)
  })
})
