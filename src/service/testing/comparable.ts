import type { AnyEndpoint } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'

export interface Answer {
  status: number
  text: string
}

/**
 * Returns a reply without the parts that differ between equal calls: ids, times, URLs, secrets, numbers in
 * generated names, and the state of the machine. Keeps the positions of folders and files only if asked to.
 */
export function comparable({ status, text }: Answer, endpoint: AnyEndpoint, { positions = false } = {}): unknown {
  const { success, jsonLines, eventStream } = endpoint
  // The events depend on the moment.
  if (eventStream) return { status, retry: text.split('\n')[0] }
  if (status !== success || text === '') return { status, text }
  if (!jsonLines) return { status, reply: withoutOwn(JSON.parse(text), positions ? OWN : ownOf(endpoint)) }
  // Each export is itself in the audit trail, so no two exports are equal.
  const kinds = text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string }).type)
  return { status, kinds: [...new Set(kinds)] }
}

const OWN = /(^|_)(id|ids|id_tree|expires)$/
const OWN_OR_POSITION = /(^|_)(id|ids|id_tree|expires|index|outline)$|^(group_)?number$/
const OF_MACHINE = /(^|_)(free|waiting|oldest_seconds)$/

const ownOf = ({ path }: AnyEndpoint): RegExp => (path === api.system.get.path ? OF_MACHINE : OWN_OR_POSITION)

// A drawn mark contains the minute.
const OWN_TEXT = /url|key|token|jti|secret|^image$/

function withoutOwn(value: unknown, own: RegExp, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutOwn(item, own, name))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutOwn(inner, own, key)]))
  }
  if (typeof value === 'number') return own.test(name) ? 'a number' : value
  if (typeof value !== 'string') return value
  if (name === 'outline') return own.test(name) ? 'an outline' : value
  return OWN_TEXT.test(name) ? value !== '' : value.replace(/[\w-]{32,}|[\da-f]{8,}|\d+/g, '0')
}
