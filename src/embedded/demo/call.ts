import type { AnyEndpoint, Call, Reply } from '../../contract/endpoint.ts'
import { api } from '../../contract/index.ts'
import { urlOf } from '../../contract/url.ts'
import { sign } from '../../signing/signature.ts'
import type { Secrets } from '../credentials.ts'

const VALID_SECONDS = 60

/** Calls the API as one user, signed like any other client. */
export interface Caller {
  call<E extends AnyEndpoint>(endpoint: E, input: Call<E>): Promise<Reply<E>>
  upload(place: { workspace_id: number; folder_id: number; file_name: string }, content: Uint8Array): Promise<void>
  /** Returns a caller for another user. */
  as(token: string): Caller
}

/** Creates a caller whose calls throw an Error for any answer but success, and after `signal` aborts. */
export function createCaller(apiUrl: string, secrets: Secrets, token: string, signal: AbortSignal): Caller {
  async function send(endpoint: AnyEndpoint, path: string, type: string, body?: string | Uint8Array<ArrayBuffer>) {
    const expires = Math.floor(Date.now() / 1000) + VALID_SECONDS
    const signed = sign({ key: secrets.apiKey, secret: secrets.apiSecret, token }, expires)
    const { method, success } = endpoint
    const headers = { ...signed, ...(body !== undefined && { 'content-type': type }) }
    const reply = await fetch(apiUrl + path, { method, headers, signal, ...(body !== undefined && { body }) })
    const text = await reply.text()
    if (reply.status !== success) throw new Error(`The demo could not be made: ${method} ${endpoint.path}: ${text}`)
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  }
  return {
    async call<E extends AnyEndpoint>(endpoint: E, input: Call<E>) {
      const { body } = input as { body?: unknown }
      const json = body === undefined ? undefined : JSON.stringify(body)
      return (await send(endpoint, urlOf(endpoint, input), 'application/json', json)) as Reply<E>
    },
    async upload(query, content) {
      await send(
        api.files.upload,
        urlOf(api.files.upload, { query }),
        'application/octet-stream',
        new Uint8Array(content),
      )
    },
    as: (other) => createCaller(apiUrl, secrets, other, signal),
  }
}
