import { randomUUID } from 'node:crypto'

/** UUIDs, and the ids that front servers make: nginx, Caddy, traces. */
const FORM = /^[0-9A-Za-z][0-9A-Za-z_-]{7,63}$/

/** The id of a request: the one in X-Request-Id if its sender may choose it and it is well-formed, or a new one. */
export function requestIdOf(given: string | string[] | undefined, isTrusted: () => boolean): string {
  return typeof given === 'string' && FORM.test(given) && isTrusted() ? given : randomUUID()
}
