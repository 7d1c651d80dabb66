import { connect } from 'node:net'
import { errorReply } from '../../contract/errors.ts'
import { sign } from '../../signing/signature.ts'
import type { Stand } from './stand.ts'

/** Longer than the service and the proxy linger over a body that they refuse. */
const ANSWER_WITHIN_MS = 15_000

/** Sends bytes and gives everything that is answered until the other end closes. @throws Error for silence */
export function sendBytes(url: string, ...pieces: (string | Buffer)[]): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname)
    const timer = setTimeout(() => {
      socket.destroy(new Error('There was no answer in time.'))
    }, ANSWER_WITHIN_MS)
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')))
    socket.on('end', () => socket.end())
    // A reset after the reply: what came before counts.
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)))
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(answer)
    })
    for (const piece of pieces) socket.write(piece)
  })
}

export interface Head {
  method: string
  /** Path and query as they are. */
  target: string
  headers?: Record<string, string>
}

/** One request to the service, signed for its admin. */
export function askService({ service, admin }: Stand, head: Head, body: string | Buffer = ''): Promise<string> {
  const signed = sign(admin.credentials, Math.floor(Date.now() / 1000) + 60)
  return sendBytes(service.url, headOf(service.url, { ...head, headers: { ...signed, ...head.headers } }, body), body)
}

/** One request to the proxy, from a page of its own, of a person who is signed in. */
export function askProxy({ proxy, cookie }: Stand, head: Head, body: string | Buffer = ''): Promise<string> {
  const headers = { 'Sec-Fetch-Site': 'same-origin', Cookie: cookie, ...head.headers }
  return sendBytes(proxy.url, headOf(proxy.url, { ...head, headers }, body), body)
}

function headOf(url: string, { method, target, headers }: Head, body: string | Buffer): string {
  const all = { Host: new URL(url).host, Connection: 'close', 'Content-Length': Buffer.byteLength(body), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/**
 * The status of an answer. @throws Error for one that no client may ever get: a failure of the server, a failure in
 * another shape than the contract's, no HTTP at all
 */
export function statusOf(answer: string): number {
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? Number.NaN)
  if (Number.isNaN(status) || status >= 500) throw new Error(`answered: ${answer.slice(0, 500)}`)
  if (status >= 400 && !isFailure(answer, status)) throw new Error(`another shape: ${answer.slice(0, 500)}`)
  return status
}

function isFailure(answer: string, status: number): boolean {
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4)
  // A chunked body, or none after HEAD, is not taken apart here.
  if (!body.startsWith('{')) return true
  try {
    return errorReply.parse(JSON.parse(body)).error.code === status
  } catch {
    return false
  }
}
