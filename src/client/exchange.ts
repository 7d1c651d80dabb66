import type { AnyEndpoint, Call, Reply } from '../contract/endpoint.ts'
import { readReply } from '../contract/read-reply.ts'
import { failureOf } from './failure.ts'
import { type ApiRequest, type Content, requestOf } from './request.ts'

/** Sends a request with the host and the credentials that it lacks. */
export type Send = (request: ApiRequest) => Promise<Response>

export interface Answer<E extends AnyEndpoint> {
  reply: Reply<E>
  headers: Headers
}

/** Makes one call of the contract. @throws ApiFailure if the service refuses; the error of `send` if there is no answer */
export async function exchange<E extends AnyEndpoint>(
  send: Send,
  endpoint: E,
  call?: Call<E>,
  content?: Content,
): Promise<Answer<E>> {
  const response = await send(requestOf(endpoint, call, content))
  const text = await response.text()
  if (response.status !== endpoint.success) throw failureOf(response.status, text)
  const reply = (endpoint.reply && readReply(endpoint, text)) as Reply<E>
  return { reply, headers: response.headers }
}
