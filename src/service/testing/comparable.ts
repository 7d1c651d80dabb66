import type { AnyEndpoint } from '../../contract/endpoint.ts'

export interface Answer {
  status: number
  text: string
}

/**
 * Returns a reply without the parts that differ between equal calls: ids, times, URLs, secrets, numbers in
 * generated names, and the state of the machine.
 */
export function comparable({ status, text }: Answer, { success, jsonLines, eventStream }: AnyEndpoint): unknown {
  // The events depend on the moment.
  if (eventStream) return { status, retry: text.split('\n')[0] }
  if (status !== success || text === '') return { status, text }
  if (!jsonLines) return { status, reply: withoutOwn(JSON.parse(text)) }
  // Each export is itself in the audit trail, so no two exports are equal.
  const kinds = text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string }).type)
  return { status, kinds: [...new Set(kinds)] }
}

const OWN_NUMBER = /(^|_)(id|ids|id_tree|index|expires|free|waiting|oldest_seconds)$/
// A drawn mark contains the minute.
const OWN_TEXT = /url|key|token|jti|secret|^image$/

function withoutOwn(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutOwn(item, name))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutOwn(inner, key)]))
  }
  if (typeof value === 'number') return OWN_NUMBER.test(name) ? 'a number' : value
  if (typeof value !== 'string') return value
  return OWN_TEXT.test(name) ? value !== '' : value.replace(/[\w-]{32,}|[\da-f]{8,}|\d+/g, '0')
}
