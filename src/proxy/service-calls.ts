import { errors } from 'undici'
import type { AnyEndpoint, Call, Reply } from '../contract/endpoint.ts'
import { urlOf } from '../contract/url.ts'
import { Refusal, serviceUnavailable, tooMany } from './refusal.ts'
import type { Signer } from './sign.ts'
import { refusalFor, type Upstream } from './upstream.ts'

/** How long a lookup may take, while a user waits. */
const ANSWER_MS = 15_000

export interface Circumstances {
  /** Address of the client on whose behalf the call is made. */
  ip?: string
  /** The session of the call; if it has ended, the service refuses the token. */
  session?: number
}

/** Requests that the proxy itself makes to the service. */
export interface ServiceCalls {
  /**
   * Calls an endpoint as a token's user. Undefined if the token or the session is refused.
   * @throws Refusal 429 or 503 if the service asks to wait, 502 or 504 without a useful answer
   */
  call<E extends AnyEndpoint>(
    token: string,
    endpoint: E,
    input: Call<E>,
    circumstances?: Circumstances,
  ): Promise<Reply<E> | undefined>
  /** Calls an endpoint as the organization admin whose token the proxy has. */
  callAsAdmin<E extends AnyEndpoint>(endpoint: E, input: Call<E>, circumstances?: Circumstances): Promise<Reply<E>>
  isReady(): Promise<boolean>
}

export function createServiceCalls(
  upstream: Upstream,
  sign: Signer,
  adminToken: string,
  vouch: (ip: string) => Record<string, string>,
): ServiceCalls {
  const call: ServiceCalls['call'] = async (token, endpoint, input, { ip, session } = {}) => {
    const { body } = input as { body?: unknown }
    const reply = await ask(upstream, endpoint.method, urlOf(endpoint, input), body, {
      ...sign(token),
      ...(ip !== undefined && { 'x-forwarded-for': ip, ...vouch(ip) }),
      ...sessionHeader(session),
    })
    if (reply.statusCode === 401) return undefined
    const retryAfter = Number(reply.headers['retry-after']) || 1
    if (reply.statusCode === 429) throw tooMany(retryAfter)
    if (reply.statusCode === 503) throw serviceUnavailable(retryAfter)
    if (reply.statusCode !== endpoint.success) {
      throw new Refusal(502, `The service answered ${reply.statusCode} where ${endpoint.success} was expected.`)
    }
    return endpoint.reply?.parse(reply.body) as Reply<typeof endpoint>
  }
  return {
    call,
    async callAsAdmin(endpoint, input, circumstances) {
      const reply = await call(adminToken, endpoint, input, circumstances)
      if (!reply) throw new Refusal(502, 'The service refuses the credentials of this proxy.')
      return reply
    },
    isReady: () => upstream.isReady(),
  }
}

/** Names the session of a request; the service refuses the request if the session has ended. */
export function sessionHeader(session: number | undefined): Record<string, string> {
  return session === undefined ? {} : { 'x-api-session': String(session) }
}

async function ask(upstream: Upstream, method: string, path: string, body: unknown, headers: Record<string, string>) {
  const signal = AbortSignal.timeout(ANSWER_MS)
  const content = body === undefined ? undefined : JSON.stringify(body)
  try {
    const reply = await upstream.request({
      method,
      path,
      headers: { ...headers, ...(content !== undefined && { 'content-type': 'application/json' }) },
      signal,
      ...(content !== undefined && { body: content }),
    })
    return { statusCode: reply.statusCode, headers: reply.headers, body: await reply.body.json() }
  } catch (error) {
    throw refusalFor(signal.aborted ? new errors.HeadersTimeoutError() : (error as Error))
  }
}
