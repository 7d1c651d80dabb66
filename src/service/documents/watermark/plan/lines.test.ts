import { describe, expect, it, test } from 'vitest'
import { DEFAULT_LOOK } from '../../../../contract/endpoints/looks/default-look.ts'
import { SAMPLE_READER } from '../../../testing/documents/sample-reader.ts'
import { markLines, strewnLines, timeLine } from './lines.ts'

const reader = { ...SAMPLE_READER, time_zone: 'Europe/Zurich' }
const nameAlone = {
  ...DEFAULT_LOOK,
  display_time: false,
  display_user_email: false,
  display_ip_address: false,
}
const factsFor = (first_name: string, last_name = '') =>
  markLines(nameAlone, { ...reader, first_name, last_name }).facts

test('the default mark has the time, the name, the IP address and the e-mail address', () => {
  expect(markLines(DEFAULT_LOOK, reader)).toEqual({
    custom: [],
    facts: ['2026-03-03 10:15 +01:00', 'Bob Tester', '203.0.113.9', 'bob@example.com'],
  })
})

test.each([
  ['Asia/Kolkata', '2026-03-03 14:45 +05:30'],
  ['UTC', '2026-03-03 09:15 +00:00'],
  ['America/St_Johns', '2026-03-03 05:45 -03:30'],
  ['Pacific Time (US & Canada)', '2026-03-03 01:15 -08:00'],
  ['no such zone', '2026-03-03 09:15 +00:00'],
])('the time is shown in the zone %s', (time_zone, line) => {
  expect(timeLine({ ...reader, time_zone })).toBe(line)
})

describe('a name', () => {
  it.each(['Bob', '山﨑 太郎', 'محمد علي', 'דוד', '김철수', 'Łukasz', 'नमस्ते', 'สมชาย', 'Li 李'])(
    '%s identifies the reader',
    (name) => {
      expect(factsFor(name)).toEqual([name])
    },
  )

  it.each([
    ['nothing', ''],
    ['spaces', ' \u3000\u00a0 '],
    ['zero width', '\u200b\u200d\ufeff\u2060'],
    ['fillers that look empty', '\u3164\u2800\u115f'],
    ['an emoji alone', '😀'],
    ['one letter', 'x'],
    ['dots', '. . .'],
    ['somebody else’s address', 'ceo@example.com'],
    ['somebody else’s address in wide letters', 'ceo＠example.com'],
    ['reordered', 'Ali\u202eecila'],
    ['hidden characters within', 'Bo\u200bb'],
    ['a script that no font has', 'ᚠᚢᚦᚨᚱ'],
    ['private characters', '\ue000\ue001'],
    ['a line of ours', 'Bob · 10.0.0.1'],
  ])('D6: of %s adds the e-mail address', (_, name) => {
    const facts = factsFor(name)
    expect(facts.at(-1)).toBe('bob@example.com')
    expect(facts.join('')).not.toMatch(/[\u200b-\u202e\u2060\ufeff\u3164\u2800\ue000·]/)
  })

  it('is cut after 72 characters, keeps few combining marks and never breaks the line', () => {
    expect(factsFor('a'.repeat(300))[0]).toHaveLength(72)
    expect(factsFor(`Zo${'\u0308\u0301'.repeat(40)}e`)[0]?.length).toBeLessThan(10)
    expect(factsFor('Bob\nTester\r\u2028')[0]).toBe('Bob Tester')
  })
})

test('text of the team keeps its lines, wraps between words and is limited to eight lines', () => {
  const custom_text = `CONFIDENTIAL\n\n${'word '.repeat(30)}\n${'x'.repeat(200)}`
  const { custom } = markLines({ ...DEFAULT_LOOK, custom_text }, reader)
  expect(custom[0]).toBe('CONFIDENTIAL')
  expect(custom.every((line) => line.length <= 72)).toBe(true)
  expect(markLines({ ...DEFAULT_LOOK, custom_text: 'a\n'.repeat(100) }, reader).custom).toHaveLength(8)
})

test('a placement that would be empty shows the e-mail address', () => {
  expect(markLines({ ...nameAlone, display_user_name: false }, reader).facts).toEqual(['bob@example.com'])
})

test('strewn lines have each fact once, and text of the team only if there is nothing else', () => {
  const both = [markLines(DEFAULT_LOOK, reader), markLines(nameAlone, reader)]
  expect(strewnLines(both)).toEqual(['2026-03-03 10:15 +01:00', 'Bob Tester · 203.0.113.9', 'bob@example.com'])
  expect(strewnLines([{ custom: ['DRAFT'], facts: [] }])).toEqual(['DRAFT'])
})
