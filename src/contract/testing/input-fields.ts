import type { AnyEndpoint } from '../endpoint.ts'
import { exampleOf } from '../example.ts'
import { api } from '../index.ts'
import { inputSchema, type JsonSchema } from '../json-schema.ts'

type Part = 'params' | 'query' | 'body'
const PARTS: readonly Part[] = ['params', 'query', 'body']

/** One value that an endpoint takes: text, a number or a choice. A list element has the index 0. */
export interface InputField {
  endpoint: AnyEndpoint
  /** `groups.create body.group.name` */
  name: string
  part: Part
  path: string[]
  schema: JsonSchema
}

export interface ExampleCall {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown>
}

/** Returns every input field of every endpoint in the contract. */
export function inputFields(): InputField[] {
  return Object.entries(api).flatMap(([section, endpoints]) =>
    Object.entries<AnyEndpoint>(endpoints).flatMap(([key, endpoint]) =>
      PARTS.flatMap((part) =>
        leavesOf(inputSchema(endpoint[part]), []).map(({ path, schema }) => {
          const name = `${section}.${key} ${[part, ...path].join('.')}`
          return { endpoint, name, part, path, schema }
        }),
      ),
    ),
  )
}

function leavesOf(schema: JsonSchema, path: string[]): Pick<InputField, 'path' | 'schema'>[] {
  if (schema.type === 'object') {
    return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => leavesOf(inner, [...path, name]))
  }
  if (schema.type === 'array' && schema.items) return leavesOf(schema.items, [...path, '0'])
  return [{ path, schema: schema.anyOf?.find(({ type }) => type !== 'null') ?? schema }]
}

/** Returns a call that the contract accepts, with `value` in this field. */
export function callWith({ endpoint, part, path }: InputField, value: unknown): ExampleCall {
  const call = exampleCall(endpoint)
  let node: Record<string, unknown> | unknown[] = call[part]
  for (const [at, key] of path.entries()) {
    const isLast = at === path.length - 1
    const place = node as Record<string, unknown>
    if (isLast) place[key] = value
    else node = (place[key] ??= path[at + 1] === '0' ? [] : {}) as Record<string, unknown>
  }
  return call
}

export function exampleCall(endpoint: AnyEndpoint): ExampleCall {
  const part = (name: Part) => exampleOf(inputSchema(endpoint[name])) as Record<string, unknown>
  return { params: part('params'), query: part('query'), body: part('body') }
}
