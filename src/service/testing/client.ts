import * as z from 'zod'
import { exchange } from '../../client/exchange.ts'
import { type ApiRequest, requestOf } from '../../client/request.ts'
import { type AnyEndpoint, type Call, type Reply, type CallParts } from '../../contract/endpoint.ts'
import { errorReply, type ErrorDetail, type ErrorReply } from '../../contract/errors.ts'
import { isFieldRule, messageOf } from '../../contract/field-rules.ts'
import { type Credentials, sign } from '../../signing/signature.ts'

export type Bytes = string | Uint8Array<ArrayBuffer>

/** A client that signs its requests and checks every reply against the contract. */
export class Client {
  readonly credentials: Credentials
  readonly #url: string

  constructor(url: string, credentials: Credentials) {
    this.#url = url
    this.credentials = credentials
  }

  /** Sends a signed request to a path, without checks. `now` in milliseconds. */
  fetch(path: string, init: RequestInit = {}, now = Date.now()): Promise<Response> {
    const headers = new Headers(init.headers)
    for (const [name, value] of Object.entries(sign(this.credentials, Math.floor(now / 1000) + 60)))
      headers.set(name, value)
    return fetch(this.#url + path, { ...init, headers, redirect: 'manual' })
  }

  /** @throws ApiFailure if the service refuses, Error if it replies against the contract */
  async call<E extends AnyEndpoint>(endpoint: E, call: Call<E>, content?: Bytes): Promise<Reply<E>> {
    const send = ({ path, init }: ApiRequest) => this.fetch(path, init)
    const { reply } = await exchange(send, endpoint, call, content)
    return (endpoint.reply && z.parse(strict(endpoint.reply), reply)) as Reply<E>
  }

  /** For refusals: checks that the reply has the contract's error shape and the status it was sent with. */
  async refused<E extends AnyEndpoint>(endpoint: E, call: Call<E>, content?: Bytes): Promise<ErrorReply['error']> {
    const response = await this.#send(endpoint, call, content)
    const text = await response.text()
    if (response.ok) throw new Error(`${endpoint.method} ${endpoint.path} was not refused: ${text}`)
    const { error } = z.parse(errorReply, JSON.parse(text))
    if (error.code !== response.status) throw new Error(`status ${response.status} but code ${error.code}`)
    error.details?.forEach(expectRule)
    return error
  }

  /** Returns only the status. */
  async statusOf<E extends AnyEndpoint>(endpoint: E, call: Call<E>, content?: Bytes): Promise<number> {
    const response = await this.#send(endpoint, call, content)
    await response.arrayBuffer()
    return response.status
  }

  #send(endpoint: AnyEndpoint, call: CallParts, content?: Bytes): Promise<Response> {
    const { path, init } = requestOf(endpoint, call, content)
    return this.fetch(path, init)
  }
}

/** Every detail has a rule of the contract, and the sentence of this rule. */
function expectRule(detail: ErrorDetail): void {
  const { rule, params, message } = detail
  const isSaid = isFieldRule(rule) && messageOf({ rule, ...(params && { params }) }) === message
  if (!isSaid) throw new Error(`the detail does not say its rule: ${JSON.stringify(detail)}`)
}

const strictSchemas = new WeakMap<NonNullable<AnyEndpoint['reply']>, z.ZodType>()

/** Rejects fields that the contract does not declare. */
function strict(schema: NonNullable<AnyEndpoint['reply']>): z.ZodType {
  const known = strictSchemas.get(schema)
  if (known) return known
  const made = z.fromJSONSchema(z.toJSONSchema(schema, { target: 'draft-7' }) as Parameters<typeof z.fromJSONSchema>[0])
  strictSchemas.set(schema, made)
  return made
}
