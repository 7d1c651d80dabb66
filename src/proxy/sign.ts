import type { AnyEndpoint, Method } from '../contract/endpoint.ts'
import { api } from '../contract/index.ts'
import { notifications } from '../contract/endpoints/deal/notifications.ts'
import { sessions } from '../contract/endpoints/sessions.ts'
import { signInCodes } from '../contract/endpoints/sign-in-codes.ts'
import { API_PREFIX, pathPattern } from '../contract/url.ts'
import { sign } from '../signing/signature.ts'

/** A captured signature can be replayed until it expires (decisions, section 3), so it must expire soon. */
const SIGNATURE_SECONDS = 60

export interface KeyPair {
  apiKey: string
  apiSecret: string
}

/** Makes the headers that sign a request as the user; a new signature for every request. */
export type Signer = (token: string) => Record<string, string>

export function createSigner({ apiKey: key, apiSecret: secret }: KeyPair, clock: () => Date): Signer {
  return (token) => sign({ key, secret, token }, Math.floor(clock().getTime() / 1000) + SIGNATURE_SECONDS)
}

/**
 * Endpoints that the proxy alone may call: a browser could forge sign-ins with them, and read the codes of other users.
 */
const NEVER_PASSED_ON = new Set<AnyEndpoint>([
  sessions.create,
  ...Object.values(signInCodes),
  notifications.showUnsubscribe,
  notifications.unsubscribe,
])

const patterns = patternsByMethod()

function patternsByMethod(): Map<string, RegExp> {
  const paths = new Map<Method, string[]>()
  const endpoints = Object.values(api).flatMap((section) => Object.values<AnyEndpoint>(section))
  for (const endpoint of endpoints.filter((each) => !NEVER_PASSED_ON.has(each))) {
    const { method, path } = endpoint
    paths.set(method, [...(paths.get(method) ?? []), pathPattern(path).source])
  }
  return new Map([...paths].map(([method, sources]) => [method, new RegExp(sources.join('|'))]))
}

/**
 * Whether browsers may call an endpoint with this method and path (including its prefix). No other request is signed
 * for them.
 */
export function mayBePassedOn(method: string, path: string): boolean {
  return path.startsWith(`${API_PREFIX}/`) && (patterns.get(method)?.test(path.slice(API_PREFIX.length)) ?? false)
}
