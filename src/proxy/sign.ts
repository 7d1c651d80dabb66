import type { AnyEndpoint, Method } from '../contract/endpoint.ts'
import { api } from '../contract/index.ts'
import { API_PREFIX, pathPattern } from '../contract/url.ts'
import { sign } from '../signing/signature.ts'

/** A captured signature can be replayed until it expires (decisions, section 3), so it does not last. */
const SIGNATURE_SECONDS = 60

export interface KeyPair {
  apiKey: string
  apiSecret: string
}

/** Gives the headers that make a request the user's; a new signature for every request. */
export type Signer = (token: string) => Record<string, string>

export function createSigner({ apiKey: key, apiSecret: secret }: KeyPair, clock: () => Date): Signer {
  return (token) => sign({ key, secret, token }, Math.floor(clock().getTime() / 1000) + SIGNATURE_SECONDS)
}

const patterns = patternsByMethod()

function patternsByMethod(): Map<string, RegExp> {
  const paths = new Map<Method, string[]>()
  for (const { method, path } of Object.values(api).flatMap((section) => Object.values<AnyEndpoint>(section))) {
    paths.set(method, [...(paths.get(method) ?? []), pathPattern(path).source])
  }
  return new Map([...paths].map(([method, sources]) => [method, new RegExp(sources.join('|'))]))
}

/** Whether the contract has an endpoint of this method and path (with its prefix). Nothing else is ever signed. */
export function isInContract(method: string, path: string): boolean {
  return path.startsWith(`${API_PREFIX}/`) && (patterns.get(method)?.test(path.slice(API_PREFIX.length)) ?? false)
}
