import { faultOf } from '../wire/faulty-head.ts'
import { Refusal, refused, wrongMethod } from './refusal.ts'
import type { Exchange } from './exchange.ts'
import type { Session } from './sign-in/session.ts'

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
const SAFE = new Set(['GET', 'HEAD'])
/** Encoded slash, backslash and NUL, and percent signs that encode nothing. */
const DISGUISED = /%2f|%5c|%00|%(?![0-9a-f]{2})/i
/** A dot segment, plain or encoded; also `;`, because some servers cut parameters off a segment first. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:[/;]|$)/i

export function checkHead({ request }: Exchange): void {
  const fault = faultOf(request)
  if (fault) throw new Refusal(fault.status, fault.message, { Connection: 'close' })
}

/** Accepts only plain targets below the root; a target that two programs could read differently is refused. */
export function checkTarget({ request, method, path }: Exchange): void {
  if (!METHODS.has(method)) throw wrongMethod([...METHODS].join(', '))
  if (request.headers.upgrade !== undefined) throw new Refusal(400, 'Connections are not upgraded here.')
  const isPlain = /^\/[\x21-\x7e]*$/.test(request.url ?? '') && !/[\\#]|\/\//.test(path)
  if (!isPlain || DISGUISED.test(path) || DOT_SEGMENT.test(path)) {
    throw new Refusal(400, 'The path of the request is malformed.')
  }
}

/** Host header -> the origin of pages that were loaded under it. */
export type Origins = ReadonlyMap<string, string>

/** Loopback names stay usable beside the public one. @param port the port actually listened on */
export function originsOf(publicUrl: string, port: number): Origins {
  const loopback = ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${port}`)
  const { host, origin } = new URL(publicUrl)
  return new Map([...loopback.map((host): [string, string] => [host, `http://${host}`]), [host, origin]])
}

/** Refuses a foreign name that resolves to this server (DNS rebinding). */
export function checkHost({ request }: Exchange, origins: Origins): string {
  const origin = origins.get(request.headers.host?.toLowerCase() ?? '')
  if (origin === undefined) throw new Refusal(421, 'This host is not served here.')
  return origin
}

/** Stops pages of other sites from getting requests signed, or reading anything, as the user. */
export function checkOrigin({ request, method }: Exchange, own: string): void {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  const isOwnSite = site === 'same-origin' || site === 'none'
  const isRefused = SAFE.has(method)
    ? (origin !== undefined && origin !== own) || (site !== undefined && !isOwnSite)
    : origin === undefined
      ? !isOwnSite
      : origin !== own
  if (isRefused) throw new Refusal(403, 'Requests from other sites are refused.')
}

/** A browser may save content, show it as an image, or give its bytes to our scripts. */
const DESTINATIONS = new Set(['document', 'empty', 'image'])

/**
 * Uploaded files are served from our origin, which the dashboard's policy trusts for scripts and styles. Browsers must
 * not load one as either, nor as a worker, a frame or a plugin.
 */
export function checkDestination({ request }: Exchange): void {
  const destination = request.headers['sec-fetch-dest']
  if (destination !== undefined && !DESTINATIONS.has(String(destination)))
    throw new Refusal(403, 'Content is not loaded as a part of a page.')
}

/** The header in which a page names its user. */
const PERSON = 'x-signed-in-as'

/** Stops a page that one user opened from acting as another who signed in later in another tab. */
export function checkPerson({ request }: Exchange, { user_id }: Session): void {
  const person = request.headers[PERSON]
  if (person !== undefined && person !== String(user_id)) throw refused('somebody_else')
}
