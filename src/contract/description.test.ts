import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { AnyEndpoint } from './endpoint.ts'
import { api } from './index.ts'
import { inputSchema, type JsonSchema } from './json-schema.ts'
import { DESCRIPTION } from './testing/description.ts'

// The contract is the published description plus additions: nothing is missing or changed.

const endpoints = new Map(
  Object.values(api)
    .flatMap((section) => Object.values(section) as AnyEndpoint[])
    .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]),
)

it('the description has 72 endpoints', () => {
  expect(new Set(DESCRIPTION.map(({ call }) => call)).size).toBe(72)
})

describe.each(DESCRIPTION)('$call', ({ call, takes = [], takesMore, success, gives = {}, list }) => {
  const endpoint = endpoints.get(call) as AnyEndpoint
  const declared = takes.map(readDeclaration)

  it('is in the contract, with the same success status', () => expect(endpoint?.success).toBe(success))

  it.each(declared)('takes $name in the $place', ({ place, name, type, required, fallback }) => {
    const { schema, isRequired } = find(inputsOf(endpoint, place), name)
    expect(schema, `${place} ${name}`).toBeDefined()
    expect(schema && acceptedBy(schema)).toEqual(acceptedAs(name, type))
    expect(isRequired).toBe(required)
    if (fallback !== undefined) expect(schema?.default).toEqual(fallback)
  })

  it('requires no input that is not described', () => {
    const known = new Set(declared.map(({ place, name }) => `${place} ${name}`))
    const asked = (['path', 'query', 'body'] as const).flatMap((place) =>
      requiredNames(inputsOf(endpoint, place)).map((name) => `${place} ${name}`),
    )
    expect(takesMore ? [] : asked.filter((each) => !known.has(each))).toEqual([])
  })

  it.each(Object.entries(gives))('gives %s as %s', (name, type) => {
    const { schema, isRequired } = find(elementOf(outputOf(endpoint), list), name)
    expect(isRequired).toBe(true)
    expect(schema && givenTypeOf(schema)).toBe(type)
  })
})

interface Declaration {
  place: 'path' | 'query' | 'body'
  name: string
  type: string
  required: boolean
  fallback: unknown
}

function readDeclaration(text: string): Declaration {
  const [, place, name = '', type = '', mark, fallback] = /^(\w+) ([\w.]+):([\w|[\]]+)(!)?(?:=(.+))?$/.exec(text) ?? []
  if (!name) throw new Error(`cannot be read: ${text}`)
  const value = fallback === undefined ? undefined : (JSON.parse(fallback) as unknown)
  return { place: place as Declaration['place'], name, type, required: mark === '!', fallback: value }
}

function inputsOf(endpoint: AnyEndpoint, place: Declaration['place']): JsonSchema {
  return inputSchema(place === 'path' ? endpoint.params : endpoint[place])
}

function outputOf({ reply }: AnyEndpoint): JsonSchema {
  return (reply ? z.toJSONSchema(reply, { io: 'output', reused: 'inline' }) : {}) as JsonSchema
}

function elementOf(schema: JsonSchema, list: string | undefined): JsonSchema {
  if (list === undefined) return schema
  return (list === 'bare' ? schema : schema.properties?.[list])?.items ?? {}
}

/** `viewer_image.status`, `immediate_subfiles[].id` */
function find(schema: JsonSchema, name: string): { schema: JsonSchema | undefined; isRequired: boolean } {
  const [first = '', ...rest] = name.split('.')
  const key = first.replace('[]', '')
  const property = schema.properties?.[key]
  const isRequired = schema.required?.includes(key) === true
  if (rest.length === 0 || !property) return { schema: property, isRequired }
  return find(first.endsWith('[]') ? (property.items ?? {}) : property, rest.join('.'))
}

/** Returns what an input schema allows, in the words of the description. */
function acceptedBy(schema: JsonSchema): string[] {
  if (schema.enum) return schema.enum.map(String)
  if (schema.type === 'array') return acceptedBy(schema.items ?? {}).map((each) => `${each}[]`)
  if (schema.type === 'string' && schema.format === 'date') return ['date']
  return [schema.type === 'integer' ? 'int' : String(schema.type)]
}

/** Returns the type of a reply in the words of the description: an enum is a string, an integer constant an int. */
function givenTypeOf({ type, anyOf = [], items = {}, const: only }: JsonSchema): string {
  const [some, ...others] = anyOf.filter((option) => option.type !== 'null')
  if (some && others.length === 0) return `${givenTypeOf(some)}?`
  if (Array.isArray(type)) return `${type.find((each) => each !== 'null')}?`
  if (type === 'array') return `${givenTypeOf(items)}[]`
  if (type === 'integer' || Number.isInteger(only)) return 'int'
  return String(type)
}

/** The description declares ids and `drm_enabled` as text; the contract takes them as integers and a boolean. */
function acceptedAs(name: string, type: string): string[] {
  if (/_ids?$/.test(name)) return [type.replace('string', 'int')]
  if (name === 'group.drm_enabled') return ['boolean']
  return type.split('|')
}

function requiredNames(schema: JsonSchema, before = ''): string[] {
  return (schema.required ?? []).flatMap((name) => {
    const inner = schema.properties?.[name] ?? {}
    return [before + name, ...requiredNames(inner, `${before}${name}.`)]
  })
}
