import { expect, test } from 'vitest'
import * as full from 'zod'
import * as z from 'zod/mini'
import type { AnyEndpoint } from '../../../contract/endpoint.ts'
import { type FieldRule, messageOf } from '../../../contract/field-rules.ts'
import { api } from '../../../contract/index.ts'
import { ApiError, type ErrorDetail } from '../../base/errors.ts'
import { emptyParameters } from './brackets.ts'
import { coerce } from './coerce.ts'
import { detailOfIssue } from '../../base/issue-rules.ts'

/** Every field of every input of the contract, those inside objects and lists included. */
const fields = Object.entries(api).flatMap(([section, endpoints]) =>
  Object.entries(endpoints as Record<string, AnyEndpoint>).flatMap(([key, { params, query, body }]) =>
    [params, query, body].flatMap((part) => fieldsIn(part, `${section}.${key}`)),
  ),
)

function fieldsIn(schema: z.ZodMiniType, name: string): [name: string, schema: z.ZodMiniType][] {
  if (schema instanceof z.ZodMiniObject) {
    const inside = Object.entries(schema.shape as Record<string, z.ZodMiniType>)
    return inside
      .flatMap(([key, inner]) => [[`${name} ${key}`, inner] as const, ...fieldsIn(inner, `${name} ${key}`)])
      .map(([each, inner]) => [each, inner])
  }
  if (schema instanceof z.ZodMiniArray) return fieldsIn(schema._zod.def.element as z.ZodMiniType, `${name}[]`)
  const isWrapped =
    schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault || schema instanceof z.ZodMiniNullable
  return isWrapped ? fieldsIn(schema._zod.def.innerType as z.ZodMiniType, name) : []
}

const VALUES: unknown[] = [
  undefined, null, true, emptyParameters(), [], [emptyParameters()], [[]], Array.from({ length: 10_001 }, () => 1), Array.from({ length: 300 }, () => 'x'),
  '', ' ', '.', '..', 'a/b', 'a@b', 'a\u0001b', 'a\u00ad\u2060b', `a${'\u0301'.repeat(40)}`, 'x', 'x'.repeat(600), 'x'.repeat(6000), 'x'.repeat(30_000),
  '2027-02-30', '0000-01-01', 0, 1, 2, 0.5, 1e-12, -1, -91, 91, 200_000, 2_147_483_647, 1e9, 1e10,
] // prettier-ignore

type Refused = ErrorDetail & { expected: string }

/** Returns the details of a value that is refused, and the message that each of them must have. */
function refusalsOf(field: z.ZodMiniType, value: unknown): Refused[] {
  try {
    const { error } = z.safeParse(field, coerce(field, value, 'field'))
    return (error?.issues ?? []).map((issue) => ({ ...detailOfIssue(issue), expected: issue.message }))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return (error.details ?? []).map((detail) => ({ ...detail, expected: messageOf(detail) }))
  }
}

/** The rules that refuse a value by itself; the others need the state of the database. */
const BY_ITSELF = [
  'base64', 'boolean', 'byte_count', 'challenge', 'colour', 'confirmed', 'date', 'email', 'id_path', 'integer', 'iso_date', 'iso_datetime', 'list',
  'list_not_empty', 'max_characters', 'max_elements', 'max_marks_in_a_row', 'max_text_length', 'maximum', 'minimum', 'multiple',
  'no_control_characters', 'no_invisible_characters', 'no_slash', 'not_an_address', 'not_empty', 'not_only_dots', 'number',
  'object', 'option', 'required', 'sha256', 'six_digits', 'text', 'text_not_empty', 'time_zone', 'uuid', 'valid_input',
] as const satisfies FieldRule[] // prettier-ignore

test('every unacceptable value of every field breaks a rule, whose sentence is the message', () => {
  full.config(full.locales.en())
  expect(fields.length).toBeGreaterThan(200)
  const refused = fields.flatMap(([name, field]) =>
    VALUES.flatMap((value) => refusalsOf(field, value).map((each) => ({ name, ...each }))),
  )
  expect(refused.filter(({ message, expected }) => message !== expected)).toEqual([])
  expect([...new Set(refused.map(({ rule }) => rule))].toSorted()).toEqual(BY_ITSELF)
})
