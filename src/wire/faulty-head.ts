import type { IncomingMessage } from 'node:http'
import { leadsToPrototype, NAME_REFUSED } from './names.ts'

/** Node's own test for the header. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i

export interface Fault {
  status: 400 | 417
  message: string
}

/**
 * Finds faults in a request's head: names that lead to a prototype, and violations of HTTP/1.1 that Node would refuse
 * without an error body.
 */
export function faultOf({ httpVersion, headers, rawHeaders }: IncomingMessage): Fault | undefined {
  if (rawHeaders.some((name, at) => at % 2 === 0 && leadsToPrototype(name.toLowerCase())))
    return { status: 400, message: NAME_REFUSED }
  if (httpVersion === '1.0') return undefined
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length === 0) return { status: 400, message: 'The header Host is missing.' }
  if (hosts.length > 1) return { status: 400, message: 'The header Host must come once.' }
  if (headers.expect === undefined || CONTINUE.test(headers.expect)) return undefined
  return { status: 417, message: 'This expectation cannot be met.' }
}
