import { connect } from 'node:net'
import { errorReply } from '../../contract/errors.ts'
import { sign } from '../../signing/signature.ts'
import type { Stand } from './stand.ts'

/** Longer than the service and the proxy wait for the rest of a refused body. */
const ANSWER_WITHIN_MS = 15_000

/** Sends bytes and returns the whole answer until the other end closes. @throws Error without an answer in time */
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
    // After a reset, the part received before it counts.
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
  /** Raw path and query. */
  target: string
  headers?: Record<string, string>
}

export function askService({ service, admin }: Stand, head: Head, body: string | Buffer = ''): Promise<string> {
  const signed = sign(admin.credentials, Math.floor(Date.now() / 1000) + 60)
  return sendBytes(service.url, headOf(service.url, { ...head, headers: { ...signed, ...head.headers } }, body), body)
}

/** Sends one same-origin request to the proxy, as a signed-in person. */
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
 * Returns the status of an answer. @throws Error for an answer that a client must never get: a server failure, a
 * failure not in the shape of the contract, or no HTTP at all
 */
export function statusOf(answer: string): number {
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? Number.NaN)
  if (Number.isNaN(status) || status >= 500) throw new Error(`answered: ${answer.slice(0, 500)}`)
  if (status >= 400 && !isFailure(answer, status)) throw new Error(`another shape: ${answer.slice(0, 500)}`)
  return status
}

function isFailure(answer: string, status: number): boolean {
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4)
  // A chunked body, or the missing body after HEAD, is not checked here.
  if (!body.startsWith('{')) return true
  try {
    return errorReply.parse(JSON.parse(body)).error.code === status
  } catch {
    return false
  }
}
