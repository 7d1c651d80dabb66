import type { AnyEndpoint, CallParts } from './endpoint.ts'

export const API_PREFIX = '/api/v1'

/** Returns path and query of a call: `/api/v1/groups/5?workspace_id=3`. @throws Error for a missing path parameter */
export function urlOf(endpoint: Pick<AnyEndpoint, 'path'>, call: Pick<CallParts, 'params' | 'query'> = {}): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = call.params?.[name]
    if (value === undefined) throw new Error(`${endpoint.path} needs the path parameter ${name}`)
    return encodeURIComponent(String(value))
  })
  const query = pairsOf(call.query ?? {}).join('&')
  return API_PREFIX + path + (query && `?${query}`)
}

/** `name=value` pairs; arrays as `x[]=1`, objects as `user[id]=5`. */
function pairsOf(values: Record<string, unknown>, within?: string): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const name = within === undefined ? key : `${within}[${key}]`
    if (value === undefined || value === null) return []
    if (Array.isArray(value)) return value.map((item) => pair(`${name}[]`, item))
    if (typeof value === 'object') return pairsOf(value as Record<string, unknown>, name)
    return [pair(name, value)]
  })
}

function pair(name: string, value: unknown): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`
}

const DIGITS = '\\d+'
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** Path parameters that are UUIDs; all others are digits. */
const BY_UUID = new Set(['deletion_id', 'copy_id', 'question_id'])

/** Returns a pattern for concrete paths of `/groups/{id}`, below `/api/v1`. At most one endpoint matches a path. */
export function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, (_, name) => (BY_UUID.has(name) ? UUID : DIGITS))}$`)
}
