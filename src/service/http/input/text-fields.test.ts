import { describe, expect, test } from 'vitest'
import { callWith, type InputField, inputFields } from '../../../contract/testing/input-fields.ts'
import { urlOf } from '../../../contract/url.ts'
import { ApiError } from '../../base/errors.ts'
import { readInput } from './read-input.ts'

// Reads every text field of every endpoint with the texts that cost most.

const ACCEPTED_WITHIN_MS = 5
const REFUSED_WITHIN_MS = 50
/** The clock of a thread may tick only every 4 ms. */
const RUNS = 20

const fields = inputFields().filter(({ schema, part }) => schema.type === 'string' && !schema.enum && part !== 'params')

/** Characters that are expensive for normalization, trimming, patterns or regular expressions. */
const UNITS = [
  `a${'\u0327\u0301'.repeat(15)}`,
  `${'\u0301'.repeat(30)}x`,
  '\u1100\u1161\u11a8',
  '\ufb2c',
  '\u0344',
  '\u{1d160}',
  '\ud83d\ude00',
  'a ',
  ' ',
  'é',
  'A',
  '0',
  '1.',
  'a@',
  'a.',
  'a-',
  '"',
  '(',
  '%',
  '_',
  'İ',
  '/',
]
const LEVELS = Array.from({ length: 1000 }, () => '2147483647').join('.')

/** Texts of the field's full length, also with a last character that spoils the match so far. */
function longest({ schema }: InputField): string[] {
  const max = schema.maxLength ?? 1000
  return UNITS.flatMap((unit) => {
    const text = unit.repeat(Math.ceil(max / unit.length))
    const fitting = [...text].slice(0, max).join('')
    const spoilt = `${[...text].slice(0, max - 1).join('')}\u200b`
    return [fitting, spoilt, fitting.normalize('NFD')]
  }).concat(LEVELS, `${'a'.repeat(60)}@${'a.'.repeat(90)}example`, `2030-01-01T00:00:00.${'0'.repeat(500)}Z`)
}

/** Texts longer than any field accepts. */
const ENDLESS = ['\u0327\u0301', ' ', 'a@', '1.'].map((unit) => unit.repeat(300_000 / Buffer.byteLength(unit)))

/** The shortest processor time of reading a request, in milliseconds, and whether the request was accepted. */
function costOf(field: InputField, text: string): { ms: number; accepted: boolean } {
  const call = callWith(field, text)
  const raw = {
    params: call.params as Record<string, string>,
    queryString: field.part === 'query' ? (urlOf({ path: '' }, { query: call.query }).split('?')[1] ?? '') : '',
    body: Buffer.from(field.part === 'query' ? '' : JSON.stringify({ ...call.query, ...call.body })),
  }
  let ms = Number.POSITIVE_INFINITY
  let accepted = true
  for (let run = 0; run < RUNS && ms > ACCEPTED_WITHIN_MS / 2; run++) {
    const before = process.threadCpuUsage()
    try {
      readInput(field.endpoint, raw)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      accepted = false
    }
    const { user, system } = process.threadCpuUsage(before)
    ms = Math.min(ms, (user + system) / 1000)
  }
  return { ms, accepted }
}

const wellFormed = (field: InputField, texts: string[]) =>
  field.part === 'query' ? texts.map((text) => text.slice(0, 14_000).toWellFormed()) : texts

describe('K3: a text is cheap before its length is known:', () => {
  test('the longest text of each field is read within 5 ms', { timeout: 300_000 }, () => {
    let accepted = 0
    const slow = fields.flatMap((field) =>
      wellFormed(field, longest(field)).flatMap((text) => {
        const cost = costOf(field, text)
        accepted += cost.accepted ? 1 : 0
        const limit = cost.accepted ? ACCEPTED_WITHIN_MS : REFUSED_WITHIN_MS
        return cost.ms > limit ? [`${field.name} ${text.slice(0, 20)} ${cost.ms} ms`] : []
      }),
    )
    expect(slow).toEqual([])
    expect(accepted).toBeGreaterThan(fields.length)
  })

  test('a far too long text is refused at once', { timeout: 300_000 }, () => {
    const slow = fields.flatMap((field) =>
      wellFormed(field, ENDLESS).flatMap((text) => {
        const { ms } = costOf(field, text)
        return ms > REFUSED_WITHIN_MS ? [`${field.name} ${text.slice(0, 20)} ${ms} ms`] : []
      }),
    )
    expect(slow).toEqual([])
  })
})
