import type * as z from 'zod/v4/core'
import { isIdPath } from '../../../contract/fields.ts'
import type { FieldRule } from '../../../contract/field-rules.ts'
import { readId } from '../../../contract/read-id.ts'
import { finish, type Work } from '../../../wire/work.ts'
import { type ApiError, detailOf, refusalOf, unprocessable } from '../../base/errors.ts'
import { emptyParameters, isNode } from './brackets.ts'

type Def = z.$ZodTypes['_zod']['def']
export type ListDef = Extract<Def, { type: 'array' }>

const TRUE = new Set<unknown>([true, 1, '1', 'true', 'True', 'TRUE'])
const FALSE = new Set<unknown>([false, 0, '0', 'false', 'False', 'FALSE'])

const missing = (field: string) => malformed(field, 'required')
const malformed = (
  field: string,
  rule: Extract<FieldRule, 'required' | 'object' | 'list' | 'text' | 'integer' | 'number' | 'id_path'>,
): ApiError => refusalOf(detailOf(field, rule), 'malformed_field')

const defOf = (schema: z.$ZodType): Def => (schema as z.$ZodTypes)._zod.def

/**
 * Turns the values clients really send into what the schema expects (decisions, section 2): text to numbers and
 * booleans, dates cut to ten characters, the four array forms. The schema itself then validates the values.
 * @throws ApiError 400 for a missing or malformed parameter, 422 for an unacceptable value
 */
export function coerce(schema: z.$ZodType, value: unknown, field: string): unknown {
  const def = defOf(schema)
  switch (def.type) {
    case 'optional':
    case 'default':
      return isValueless(innermost(def.innerType), value) ? undefined : coerce(def.innerType, value, field)
    case 'nullable':
      return value === null ? null : coerce(def.innerType, value, field)
    case 'object':
      return coerceObject(def.shape, value, field)
    case 'array':
      return coerceList(def, value, field)
    case 'number':
      return 'format' in def ? coerceInteger(value, field) : coerceDecimal(value, field)
    case 'boolean':
      return coerceBoolean(value, field)
    case 'union':
      return coerceChoice(def, value, field)
    default:
      return coerceText(def, value, field)
  }
}

/** The definition of a schema that may be optional or have a default. */
export function innermost(schema: z.$ZodType): Def {
  const def = defOf(schema)
  return def.type === 'optional' || def.type === 'default' ? innermost(def.innerType) : def
}

/**
 * A valueless or NaN optional parameter means its default; an empty text is a value where the schema takes any text.
 */
function isValueless(def: Def, value: unknown): boolean {
  if (value === null) return def.type !== 'nullable'
  if (value === undefined) return true
  if (def.type === 'string') return value === '' && hasFormat(def)
  return value === '' || value === 'NaN'
}

/** Formats such as a date, an e-mail address or a time zone, which are never empty. */
function hasFormat(def: Def): boolean {
  return 'format' in def || (def.checks ?? []).some((check) => 'format' in check._zod.def)
}

function coerceObject(shape: Readonly<Record<string, z.$ZodType>>, value: unknown, field: string): unknown {
  if (value === undefined && field) throw missing(field)
  if (!isNode(value)) throw malformed(field, 'object')
  const result = emptyParameters()
  for (const name in shape) {
    const coerced = coerce(shape[name]!, value[name], field ? `${field}.${name}` : name)
    if (coerced !== undefined) result[name] = coerced
  }
  return result
}

/** The longest list in the contract. */
const MAX_ELEMENTS = 10_000

const coerceList = (def: ListDef, value: unknown, field: string): unknown[] => finish(coercingList(def, value, field))

/** Checks the length of the list before its elements. */
export function* coercingList(def: ListDef, value: unknown, field: string): Work<unknown[]> {
  const max = maxElements(def)
  const list = listOf(value, field, max)
  if (list.length > max) throw unprocessable(field, 'max_elements', { limit: max })
  const coerced: unknown[] = []
  for (const item of list) {
    coerced.push(coerce(def.element, item, `${field}[${coerced.length}]`))
    yield
  }
  return coerced
}

function maxElements({ checks }: Def): number {
  const defs = (checks ?? []).map((check) => check._zod.def as z.$ZodCheckMaxLengthDef)
  return defs.find(({ check }) => check === 'max_length')?.maximum ?? MAX_ELEMENTS
}

function listOf(value: unknown, field: string, max: number): unknown[] {
  if (value === undefined || value === null) throw missing(field)
  if (Array.isArray(value)) return value
  if (value === '') return []
  if (typeof value === 'string') return value.split(',', max + 1).map((item) => item.trim())
  if (isNode(value)) throw malformed(field, 'list')
  return [value]
}

function coerceInteger(value: unknown, field: string): number {
  if (value === undefined || value === null || value === '') throw missing(field)
  const number = readId(value)
  if (number === undefined) throw malformed(field, 'integer')
  return number
}

function coerceDecimal(value: unknown, field: string): number {
  if (value === undefined || value === null || value === '') throw missing(field)
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !/^-?\d{1,10}(\.\d{1,20})?$/.test(text)) throw malformed(field, 'number')
  return Number(text)
}

function coerceBoolean(value: unknown, field: string): boolean {
  if (value === undefined || value === null || value === '') throw missing(field)
  if (TRUE.has(value)) return true
  if (FALSE.has(value)) return false
  throw unprocessable(field, 'boolean')
}

/** Coerces a union of literals; number literals may arrive as text. */
function coerceChoice(def: Extract<Def, { type: 'union' }>, value: unknown, field: string): unknown {
  if (value === undefined || value === null || value === '') throw missing(field)
  const first = def.options[0] && defOf(def.options[0])
  const isNumeric = first?.type === 'literal' && typeof first.values[0] === 'number'
  return isNumeric ? coerceInteger(value, field) : value
}

function coerceText(def: Def, value: unknown, field: string): unknown {
  if (value === undefined || value === null) throw missing(field)
  if (typeof value === 'object') throw malformed(field, 'text')
  const text = String(value)
  if (def.type === 'string' && 'format' in def) {
    if (def.format === 'date') return text.slice(0, 10)
    if (String(def.format) === 'id-path' && !isIdPath(text)) throw malformed(field, 'id_path')
  }
  return text
}
