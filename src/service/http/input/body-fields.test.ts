import { describe, expect, test } from 'vitest'
import type { AnyEndpoint } from '../../../contract/endpoint.ts'
import { exampleOf } from '../../../contract/example.ts'
import { api } from '../../../contract/index.ts'
import { inputSchema } from '../../../contract/json-schema.ts'
import { readInput } from './read-input.ts'

type Fields = Record<string, unknown>
type Sent = { query?: string; body?: string | object }

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value for every body field, in the shape the contract declares. */
function bodyOf(endpoint: AnyEndpoint): Fields {
  const fill = ({ properties = {} }: ReturnType<typeof inputSchema>): Fields =>
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [
        name,
        schema.properties ? fill(schema) : exampleOf(schema, name),
      ]),
    )
  return fill(inputSchema(endpoint.body))
}

/** Reads only the body: the path and query of the endpoint may require more. */
function readBody({ body: schema, raw }: AnyEndpoint, { query = '', body = '' }: Sent): unknown {
  const endpoint: AnyEndpoint = { ...api.users.me, body: schema, raw }
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return readInput(endpoint, { params: {}, queryString: query, body: bytes }).body
}

/** `{group: {name: 'x'}, ids: [7]}` -> `group[name]=x`, `ids[]=7`. */
function pairsOf(value: unknown, name = ''): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((each) => pairsOf(each, `${name}[]`))
  if (!isObject(value)) return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, inner]) => pairsOf(inner, name === '' ? key : `${name}[${key}]`))
}

const formOf = (value: Fields) => new URLSearchParams(pairsOf(value)).toString()

/** Moves the fields of nested objects to the top level. */
const beside = (body: Fields): Fields =>
  Object.assign({}, ...Object.entries(body).map(([name, value]) => (isObject(value) ? value : { [name]: value })))

/** Moves all fields into the first nested object. */
function inside(body: Fields): Fields {
  const [object] = Object.keys(body).filter((name) => isObject(body[name]))
  return object === undefined ? body : { [object]: beside(body) }
}

/** `{"group[name]": "x"}`. */
const literal = (body: Fields): Fields =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) =>
      isObject(value) ? Object.entries(value).map(([key, inner]) => [`${name}[${key}]`, inner]) : [[name, value]],
    ),
  )

const endpoints = Object.entries(api).flatMap(([section, all]) =>
  Object.entries(all).map(([key, endpoint]) => [`${section}.${key}`, endpoint as AnyEndpoint] as const),
)
const withBody = endpoints.filter(([, endpoint]) => !endpoint.raw && Object.keys(bodyOf(endpoint)).length > 0)
/** A list of objects cannot be sent as a form, only as JSON. */
const hasForm = (body: Fields) =>
  !Object.values(beside(body)).some((value) => Array.isArray(value) && value.some(isObject))

describe.each(withBody)('the body of %s', (_name, endpoint) => {
  const body = bodyOf(endpoint)
  const declared = readBody(endpoint, { body })
  const forms: [string, Sent][] = [
    ['beside the object, as JSON', { body: beside(body) }],
    ['all inside the object, as JSON', { body: inside(body) }],
    ['as literal bracket names', { body: literal(body) }],
  ]
  if (hasForm(body)) {
    forms.push(
      ['as a form', { body: formOf(body) }],
      ['beside the object, as a form', { body: formOf(beside(body)) }],
      ['all inside the object, as a form', { body: formOf(inside(body)) }],
      ['in the query', { query: formOf(body) }],
      ['beside the object, in the query', { query: formOf(beside(body)) }],
    )
  }

  test.each(forms)('is the same %s', (_form, sent) => expect(readBody(endpoint, sent)).toEqual(declared))
})

test('the value at the declared place wins', () => {
  const { workspaces, groups } = api
  const workspace = { name: 'Inside', team_id: 3 }
  expect(readBody(workspaces.create, { body: { name: 'Beside', team_id: 4, workspace } })).toEqual({ workspace })
  const drm = { workspace_id: 3, group: { drm_enabled: true, workspace_id: 4 } }
  expect(readBody(groups.setDrm, { body: drm })).toMatchObject({ workspace_id: 3 })
})

test.each<[string, Sent]>([
  ['beside its object', { query: 'user[first_name]=A', body: { first_name: 'B' } }],
  ['inside its object', { query: 'first_name=A', body: { user: { first_name: 'B' } } }],
  ['in an object that is null in the body', { query: 'first_name=B', body: { user: null } }],
])('the value in the body wins %s', (_, sent) => {
  expect(readBody(api.users.updateMe, sent)).toEqual({ user: { first_name: 'B' } })
})

test('a value that should be an object and is not stays an error, whatever stands beside it', () => {
  const body = { workspace: 'x', name: 'x', team_id: 3 }
  expect(() => readBody(api.workspaces.create, { body })).toThrow('workspace must be an object')
})
