import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import {
  date,
  email,
  fileName,
  id,
  label,
  line,
  page,
  paragraph,
  perPage,
  personName,
  position,
  timeZone,
} from './fields.ts'

const accepts = (schema: z.ZodMiniType, value: unknown) => z.safeParse(schema, value).success

describe('the name of a file or folder', () => {
  it.each([
    'a',
    'Q3 report.pdf',
    '.gitignore',
    '...',
    '..a',
    'CON',
    '-rf',
    '=cmd',
    'ünï',
    '財務',
    '😀',
    'a\\b',
    'x'.repeat(255),
  ])('%j is one', (name) => expect(z.parse(fileName(), name)).toBe(name))

  it.each(['', '   ', '.', '..', ' .. ', 'a/b', '/', '../a', 'x'.repeat(256)])('%j is refused', (name) =>
    expect(accepts(fileName(), name)).toBe(false),
  )

  it.each([
    ['NUL', '\0'],
    ['a line break', '\n'],
    ['an escape', '\u001b'],
    ['a control of the second block', '\u0085'],
    ['a right-to-left override', '\u202e'],
    ['an isolate', '\u2066'],
    ['a zero-width space', '\u200b'],
    ['a line separator', '\u2028'],
    ['a byte order mark', '\ufeff'],
  ])('holds no %s', (_, character) => expect(accepts(fileName(), `a${character}b`)).toBe(false))

  it('is trimmed and composed before it is measured', () => {
    expect(z.parse(fileName(), '  re\u0301sume\u0301.pdf ')).toBe('r\u00e9sum\u00e9.pdf')
    expect(accepts(fileName(), 'e\u0301'.repeat(255))).toBe(true)
  })

  it('parses to itself once accepted', () => {
    const readAgain = (text: string) => {
      const first = z.safeParse(fileName(), text)
      return !first.success || z.parse(fileName(), first.data) === first.data
    }
    expect(() => fc.assert(fc.property(fc.string({ unit: 'grapheme' }), readAgain))).not.toThrow()
  })
})

describe("a person's name", () => {
  it.each([
    ['an ideographic variant', '\u845b\u{e0100}\u57ce'],
    ['a compatibility variant', '\u8fbb\ufe00'],
    ['a Mongolian variant', '\u182d\u180b\u1820'],
    ['a joiner', '\u0645\u06cc\u200c\u0646'],
  ])('keeps %s', (_, name) => expect(z.parse(personName(), name)).toBe(name))

  it.each([
    ['a variation selector alone', '\ufe0f'],
    ['a variation selector first', '\ufe0fAnna'],
    ['a variation selector after a space', 'Anna \ufe0fLee'],
    ['a variation selector after a joiner', 'Anna\u200d\ufe0f'],
    ['two variation selectors in a row', '\u845b\u{e0100}\u{e0101}'],
    ['a tag character', 'Anna\u{e0041}'],
    ['a Hangul filler', 'Anna\u3164'],
    ['a word joiner', 'Anna\u2060'],
  ])('K4: does not hold %s', (_, name) => expect(accepts(personName(), name)).toBe(false))

  it('loses soft hyphens before it is measured', () => {
    expect(z.parse(personName(), '\u00ad An\u00adna\u00ad')).toBe('Anna')
    expect(z.parse(personName(), 'e\u00ad\u0301')).toBe('\u00e9')
    const pile = `a${'\u0301'.repeat(20)}\u00ad${'\u0301'.repeat(20)}`
    expect(accepts(personName(), pile)).toBe(false)
  })
})

describe('other texts', () => {
  it('a label may contain a slash but must not be empty', () => {
    expect(accepts(label(), 'Legal / Tax')).toBe(true)
    expect(accepts(label(), ' ')).toBe(false)
  })

  it('a line may be empty, and a paragraph may have several lines', () => {
    expect(z.parse(line(), '')).toBe('')
    expect(accepts(line(), 'a\nb')).toBe(false)
    expect(z.parse(paragraph(), 'a\n\tb')).toBe('a\n\tb')
    expect(accepts(paragraph(), 'a\u202eb')).toBe(false)
    expect(accepts(paragraph(5), 'abcdef')).toBe(false)
  })

  it.each([
    'alice',
    'alice@',
    '@rooms.test',
    'a b@rooms.test',
    'a@rooms.test,b@rooms.test',
    'a@rooms.test\nBcc: b@rooms.test',
  ])('%j is not an e-mail address', (text) => expect(accepts(email(), text)).toBe(false))

  it.each([
    ['Europe/Lisbon', true],
    ['UTC', true],
    ['Pacific Time (US & Canada)', true],
    ["Nuku'alofa", true],
    ['pacific time (us & canada)', false],
    ['Mars/Olympus', false],
    ['', false],
  ])('the time zone %j: %s', (zone, isOne) => expect(accepts(timeZone(), zone)).toBe(isOne))
})

describe('numbers and dates', () => {
  it.each([
    [0, true],
    [2_147_483_647, true],
    [2_147_483_648, false],
    [-1, false],
    [1.5, false],
    [Number.NaN, false],
    ['1', false],
  ])('the id %j: %s', (value, isOne) => expect(accepts(id(), value)).toBe(isOne))

  it('positions and pages begin at 1, and the first page is the default', () => {
    expect(accepts(position(), 0)).toBe(false)
    expect(z.parse(page(), undefined)).toBe(1)
  })

  it('a page has 25, 50, 75 or 100 rows', () => {
    expect([25, 50, 75, 100].every((rows) => accepts(perPage(25), rows))).toBe(true)
    expect([0, 1, 24, 101, 1000].some((rows) => accepts(perPage(25), rows))).toBe(false)
    expect(z.parse(perPage(100), undefined)).toBe(100)
  })

  it.each([
    ['2028-02-29', true],
    ['2027-02-29', false],
    ['2027-13-01', false],
    ['0000-01-01', false],
    ['2027-3-1', false],
    ['2027-03-03T00:00:00Z', false],
  ])('the date %j: %s', (text, isOne) => expect(accepts(date(), text)).toBe(isOne))
})

describe('K3: combining marks', () => {
  const { name } = { name: label() }
  it('are accepted in the numbers that scripts need', () => {
    const text = `a${'\u0301\u0327'.repeat(15)}`
    expect(z.safeParse(name, text).success).toBe(true)
    expect(z.parse(name, 'e\u0301'.repeat(255))).toBe('é'.repeat(255))
    expect(z.parse(name, '\u1100\u1161\u11a8'.repeat(255))).toHaveLength(255)
  })
  it('are refused where they pile up', () => {
    for (const text of [`a${'\u0301'.repeat(31)}`, '\u0301\u0327'.repeat(40_000)]) {
      expect(z.safeParse(name, text).success).toBe(false)
    }
  })
})
