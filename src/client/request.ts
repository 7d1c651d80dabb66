import type { AnyEndpoint } from '../contract/endpoint.ts'
import { urlOf } from '../contract/url.ts'

/** The bytes of an upload: whole, or in chunks, such as a stream that reads a file. */
export type Content = string | Uint8Array<ArrayBuffer> | Blob | AsyncIterable<Uint8Array>

/** The parts that a call of any endpoint may have. */
export interface Parts {
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
  body?: Record<string, unknown> | undefined
}

/** Arguments of `fetch` for one call, relative to the host and not yet signed. */
export function requestOf(
  endpoint: AnyEndpoint,
  call: Parts = {},
  content: Content = '',
): { path: string; init: RequestInit & { headers: Record<string, string> } } {
  const { method } = endpoint
  const path = urlOf(endpoint, call)
  // The reply may arrive while a stream is still being sent; fetch requires this to be declared.
  if (endpoint.raw) return { path, init: { method, headers: {}, body: content, duplex: 'half' } }
  if (!call.body) return { path, init: { method, headers: {} } }
  return { path, init: { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(call.body) } }
}
