import type { AnyEndpoint, CallParts } from '../contract/endpoint.ts'
import { urlOf } from '../contract/url.ts'

/** The bytes of an upload: whole, or in chunks, such as a stream that reads a file. */
export type Content = string | Uint8Array<ArrayBuffer> | Blob | AsyncIterable<Uint8Array>

/** Arguments of `fetch` for one call, relative to the host and without credentials. */
export interface ApiRequest {
  path: string
  init: RequestInit & { headers: Record<string, string> }
}

export function requestOf(endpoint: AnyEndpoint, call: CallParts = {}, content: Content = ''): ApiRequest {
  const { method } = endpoint
  const path = urlOf(endpoint, call)
  // The reply may arrive while a stream is still being sent; fetch requires this to be declared.
  if (endpoint.raw) return { path, init: { method, headers: {}, body: content, duplex: 'half' } }
  if (!call.body) return { path, init: { method, headers: {} } }
  return { path, init: { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(call.body) } }
}
