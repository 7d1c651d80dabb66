import type { AnyEndpoint } from '../contract/endpoint.ts'
import { urlOf } from '../contract/url.ts'

/** Bytes of an upload: whole, or as they come, such as a stream that reads a file. */
export type Content = string | Uint8Array<ArrayBuffer> | Blob | AsyncIterable<Uint8Array>

/** What a call of any endpoint may have. */
export interface Parts {
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
  body?: Record<string, unknown> | undefined
}

/** One call as `fetch` takes it, below the host and not yet signed. */
export function requestOf(
  endpoint: AnyEndpoint,
  call: Parts = {},
  content: Content = '',
): { path: string; init: RequestInit & { headers: Record<string, string> } } {
  const { method } = endpoint
  const path = urlOf(endpoint, call)
  // A body that comes as a stream is sent while the reply may already arrive: fetch wants that said.
  if (endpoint.raw) return { path, init: { method, headers: {}, body: content, duplex: 'half' } }
  if (!call.body) return { path, init: { method, headers: {} } }
  return { path, init: { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(call.body) } }
}
