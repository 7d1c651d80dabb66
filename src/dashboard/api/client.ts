import type { AnyEndpoint, Call, CallParts, Reply } from '../../contract/endpoint.ts'
import { readReply } from '../../contract/read-reply.ts'
import { urlOf } from '../../contract/url.ts'
import { takeEarly } from './early.ts'
import { failureOf, noAnswer } from './failures.ts'
import { signedInAs } from './signed-in-as.ts'

/** Calls an endpoint of the contract on our own origin; the proxy there adds the signature. */
export async function call<E extends AnyEndpoint>(
  endpoint: E,
  input?: Call<E>,
  signal?: AbortSignal,
): Promise<Reply<E>> {
  const parts: CallParts = input ?? {}
  const text = await ask(endpoint.method, urlOf(endpoint, parts), parts.body, signal)
  // The build keeps no schemas, so the text tells whether there is a reply.
  return (text === '' && !endpoint.jsonLines ? undefined : readReply(endpoint, text)) as Reply<E>
}

/** Sends and reads JSON on our own origin; throws an `ApiFailure` for everything but success. */
export async function send<T>(method: string, url: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const text = await ask(method, url, body, signal)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

async function ask(method: string, url: string, body?: unknown, signal?: AbortSignal): Promise<string> {
  const headers: Record<string, string> = { accept: 'application/json', ...signedInAs() }
  const init: RequestInit = { method, headers }
  if (body !== undefined) {
    headers['content-type'] = 'application/json'
    init.body = JSON.stringify(body)
  }
  if (signal) init.signal = signal
  const early = await takeEarly(method, url)
  const response =
    early ??
    (await fetch(url, init).catch((error: unknown) => {
      throw signal?.aborted ? error : noAnswer()
    }))
  const text = await response.text()
  if (!response.ok) throw failureOf(response.status, text)
  return text
}
