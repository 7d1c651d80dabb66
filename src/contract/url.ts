import type { AnyEndpoint } from './endpoint.ts'

export const API_PREFIX = '/api/v1'

type Scalar = string | number | boolean
type QueryValue = Scalar | null | undefined | readonly Scalar[]

/** Path and query of one call, below the host: `/api/v1/groups/5?workspace_id=3`. Arrays become `x[]=1&x[]=2`. */
export function urlOf(
  endpoint: Pick<AnyEndpoint, 'path'>,
  call: { params?: Record<string, unknown> | undefined; query?: Record<string, unknown> | undefined } = {},
): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = call.params?.[name]
    if (value === undefined) throw new Error(`${endpoint.path} needs the path parameter ${name}`)
    return encodeURIComponent(String(value))
  })
  const query = queryString(call.query as Record<string, QueryValue> | undefined)
  return API_PREFIX + path + (query && `?${query}`)
}

function queryString(query: Record<string, QueryValue> = {}): string {
  const pairs: string[] = []
  const add = (name: string, value: Scalar) => pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    if (Array.isArray(value)) for (const item of value as readonly Scalar[]) add(`${name}[]`, item)
    else add(name, value as Scalar)
  }
  return pairs.join('&')
}

/** Matches a concrete path below `/api/v1` against `/groups/{id}`; ids are digits, so a path is matched by one endpoint at most. */
export function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
}
