import type { ApiRequest } from '../../client/request.ts'
import type { AnyEndpoint, CallParts } from '../../contract/endpoint.ts'
import { urlOf } from '../../contract/url.ts'
import type { Bytes } from './client.ts'

export type Style = (endpoint: AnyEndpoint, call: CallParts, content?: Bytes) => ApiRequest

interface Writing {
  /** `x[]=1`, `x[0]=1` or `x=1,2`. */
  list: 'brackets' | 'numbers' | 'commas'
  isTrue: string
  isFalse: string
}

const RUBY: Writing = { list: 'brackets', isTrue: 'true', isFalse: 'false' }
const PYTHON: Writing = { list: 'commas', isTrue: 'True', isFalse: 'False' }
const PHP: Writing = { list: 'numbers', isTrue: '1', isFalse: '0' }

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const BYTES_TYPE = { 'content-type': 'application/octet-stream' }

/** The request styles of known libraries for this API (decisions, section 2). */
export const STYLES: Record<'Ruby' | 'Node' | 'Python' | 'PHP' | 'C#', Style> = {
  /** The query wherever possible; a trailing question mark; JSON for POST. */
  Ruby(endpoint, call, content) {
    const values = valuesOf(call)
    if (endpoint.raw) return request(endpoint, call, pairsOf(values, RUBY), content)
    if (endpoint.method !== 'POST') return request(endpoint, call, pairsOf(values, RUBY))
    return request(endpoint, call, [], JSON.stringify(values), JSON_TYPE)
  },

  /** JSON bodies with ids as text, even for DELETE; a wrong Content-Type; an invalid page number. */
  Node(endpoint, call, content) {
    const values = valuesOf(call)
    if (endpoint.raw) return request(endpoint, call, pairsOf(values, RUBY), content, JSON_TYPE)
    if (endpoint.method === 'GET') return request(endpoint, call, [...pairsOf(values, RUBY), ['page_number', 'NaN']])
    return request(endpoint, call, [], JSON.stringify(asText(values)), BYTES_TYPE)
  },

  /** JSON with bracketed names; the credentials as a JSON string in otherwise empty bodies; "True". */
  Python(endpoint, call, content) {
    const values = valuesOf(call)
    if (endpoint.raw) return request(endpoint, call, pairsOf(values, PYTHON), content, FORM_TYPE)
    if (endpoint.method === 'GET') return request(endpoint, call, pairsOf(values, PYTHON), undefined, JSON_TYPE)
    if (endpoint.method === 'DELETE') {
      return request(endpoint, call, pairsOf(values, PYTHON), JSON.stringify(SECRET), JSON_TYPE)
    }
    return request(endpoint, call, [], JSON.stringify(withBrackets(values)), JSON_TYPE)
  },

  /** Forms with numbered lists and 1 for true; an empty body labelled as JSON. */
  PHP(endpoint, call, content) {
    const values = valuesOf(call)
    const pairs = pairsOf(values, PHP)
    if (endpoint.raw) return request(endpoint, call, pairs, content, BYTES_TYPE)
    if (endpoint.method === 'GET') return request(endpoint, call, pairs, undefined, JSON_TYPE)
    if (endpoint.method === 'DELETE' || pairs.length === 0) return request(endpoint, call, pairs, '', JSON_TYPE)
    return request(endpoint, call, [], formOf(pairs), FORM_TYPE)
  },

  /** Forms labelled as JSON; comma-separated lists; "True"; the ids of a DELETE in its query. */
  'C#'(endpoint, call, content) {
    const values = valuesOf(call)
    const pairs = pairsOf(values, PYTHON)
    if (endpoint.raw) return request(endpoint, call, pairs, content, { 'content-type': 'text/plain; charset=utf-8' })
    if (endpoint.method === 'GET' || endpoint.method === 'DELETE') return request(endpoint, call, pairs)
    return request(endpoint, call, [], formOf(pairs), JSON_TYPE)
  },
}

/** Stands for the credentials that some clients send as the body; the service must not keep it. */
export const SECRET = 'key-and-secret-of-a-client'

type Pair = [name: string, value: string]

/** Everything but the path, in the place where the contract puts it. */
const valuesOf = ({ query, body }: CallParts): Record<string, unknown> => ({ ...query, ...body })

function request(
  endpoint: AnyEndpoint,
  { params }: CallParts,
  query: Pair[],
  body?: Bytes,
  headers: Record<string, string> = {},
): ApiRequest {
  const path = `${urlOf(endpoint, { params })}?${formOf(query)}`
  return { path, init: { method: endpoint.method, headers, ...(body !== undefined && { body }) } }
}

/** Leaves brackets unencoded, as clients do. */
function formOf(pairs: Pair[]): string {
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
}

function pairsOf(values: Record<string, unknown>, writing: Writing, within?: string): Pair[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const name = within === undefined ? key : `${within}[${key}]`
    return value === undefined || value === null ? [] : pairsOfOne(name, value, writing)
  })
}

function pairsOfOne(name: string, value: unknown, writing: Writing): Pair[] {
  if (typeof value === 'boolean') return [[name, value ? writing.isTrue : writing.isFalse]]
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  if (!Array.isArray(value)) return pairsOf(value as Record<string, unknown>, writing, name)
  if (value.length === 0) return []
  const isFlat = value.every((item) => typeof item !== 'object')
  if (isFlat && writing.list === 'commas') return [[name, value.join(',')]]
  if (isFlat && writing.list === 'brackets') return value.map((item): Pair => [`${name}[]`, String(item)])
  return value.flatMap((item, at) => pairsOfOne(`${name}[${at}]`, item, writing))
}

/** Converts numbers to text, as forms and databases return them. */
function asText(value: unknown): unknown {
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(asText)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asText(inner)]))
}

/** Turns `{"group": {"name": "x"}}` into `{"group[name]": "x"}`. */
function withBrackets(values: Record<string, unknown>, within?: string): Record<string, unknown> {
  return Object.assign(
    {},
    ...Object.entries(values).map(([key, value]) => {
      const name = within === undefined ? key : `${within}[${key}]`
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
      return isObject ? withBrackets(value as Record<string, unknown>, name) : { [name]: value }
    }),
  ) as Record<string, unknown>
}
