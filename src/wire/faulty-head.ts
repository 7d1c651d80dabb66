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
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase()
    if (leadsToPrototype(name)) return { status: 400, message: NAME_REFUSED }
    if (name === 'host') hosts++
  }
  if (httpVersion === '1.0') return undefined
  if (hosts === 0) return { status: 400, message: 'The header Host is missing.' }
  if (hosts > 1) return { status: 400, message: 'The header Host must come once.' }
  if (headers.expect === undefined || CONTINUE.test(headers.expect)) return undefined
  return { status: 417, message: 'This expectation cannot be met.' }
}
