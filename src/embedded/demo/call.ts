import { type Client, createClient } from '../../client/index.ts'
import type { Secrets } from '../credentials.ts'

/** Calls the API as one user, signed like any other client. */
export interface Caller extends Client {
  as(token: string): Caller
}

export function createCaller(url: string, secrets: Secrets, token: string, signal: AbortSignal): Caller {
  const { apiKey: key, apiSecret: secret } = secrets
  return {
    ...createClient({ url, key, secret, token, signal }),
    as: (other) => createCaller(url, secrets, other, signal),
  }
}
