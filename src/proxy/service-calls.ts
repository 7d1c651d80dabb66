import { errors, type Pool } from 'undici'
import type { AnyEndpoint, Call, Reply } from '../contract/endpoint.ts'
import { urlOf } from '../contract/url.ts'
import { Refusal } from './refusal.ts'
import type { Signer } from './sign.ts'
import { refusalFor } from './upstream.ts'

/** How long a lookup may take; a person waits for it. */
const ANSWER_MS = 15_000

/** What the proxy asks the service on its own account. */
export interface ServiceCalls {
  /**
   * Calls an endpoint that takes no body, in the name of a token's user. Undefined when the token is refused.
   * @throws Refusal 502 or 504 when there is no useful answer
   */
  call<E extends AnyEndpoint>(token: string, endpoint: E, input: Call<E>, ip?: string): Promise<Reply<E> | undefined>
  isReady(): Promise<boolean>
}

export function createServiceCalls(upstream: Pool, sign: Signer): ServiceCalls {
  return {
    async call<E extends AnyEndpoint>(token: string, endpoint: E, input: Call<E>, ip?: string) {
      const { statusCode, body } = await ask(upstream, endpoint.method, urlOf(endpoint, input), {
        ...sign(token),
        ...(ip !== undefined && { 'x-forwarded-for': ip }),
      })
      if (statusCode === 401) return undefined
      if (statusCode !== endpoint.success) {
        throw new Refusal(502, `The service answered ${statusCode} where ${endpoint.success} was expected.`)
      }
      return endpoint.reply?.parse(body) as Reply<E>
    },
    async isReady() {
      try {
        return (await ask(upstream, 'GET', '/readyz', {})).statusCode === 200
      } catch {
        return false
      }
    },
  }
}

async function ask(upstream: Pool, method: string, path: string, headers: Record<string, string>) {
  const signal = AbortSignal.timeout(ANSWER_MS)
  try {
    const { statusCode, body } = await upstream.request({ method, path, headers, signal })
    return { statusCode, body: await body.json() }
  } catch (error) {
    throw refusalFor(signal.aborted ? new errors.HeadersTimeoutError() : (error as Error))
  }
}
