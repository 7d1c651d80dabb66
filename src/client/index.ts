import type { AnyEndpoint, Call, Reply } from '../contract/endpoint.ts'
import { type Credentials, sign } from '../signing/signature.ts'
import { exchange, type Send } from './exchange.ts'
import type { Content } from './request.ts'

export { api } from '../contract/index.ts'
export type { Call, Reply } from '../contract/endpoint.ts'
export { ApiFailure } from './failure.ts'

export interface ClientOptions extends Credentials {
  /** Address of the service, without `/api/v1`: `https://rooms.example.com`. */
  url: string
  /** Aborts the calls that are under way, and all later ones. */
  signal?: AbortSignal
}

/** `{params, query, body}` as the endpoint declares them, then the bytes of an upload. */
type Arguments<E extends AnyEndpoint> =
  Record<never, never> extends Call<E> ? [call?: Call<E>, content?: Content] : [call: Call<E>, content?: Content]

export interface Client {
  /**
   * Makes one signed call: `call(api.groups.list, { query: { workspace_id: 3 } })`. It never retries.
   * @throws ApiFailure if the service refuses; the error of `fetch` if there is no answer
   */
  call<E extends AnyEndpoint>(endpoint: E, ...rest: Arguments<E>): Promise<Reply<E>>
}

const VALID_SECONDS = 60

/** The API for Node, typed by the contract. */
export function createClient({ url, signal, ...credentials }: ClientOptions): Client {
  const host = url.replace(/\/+$/, '')
  const send: Send = ({ path, init }) => {
    const headers = { ...init.headers, ...sign(credentials, Math.floor(Date.now() / 1000) + VALID_SECONDS) }
    // Following a redirect would send the signature to its target; the API never redirects.
    return fetch(host + path, { ...init, headers, signal: signal ?? null, redirect: 'error' })
  }
  return {
    call: async (endpoint, ...[call, content]) => (await exchange(send, endpoint, call, content)).reply,
  }
}
