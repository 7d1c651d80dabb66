import { connect } from 'node:net'
import * as z from 'zod'
import { errorReply } from '../../contract/errors.ts'

export interface RawAnswer {
  status: number
  headers: Headers
  body: string
}

/** Sends bytes unchanged. @returns everything received until the other end closes */
export function sendRaw(url: string, ...pieces: string[]): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(Number(port), hostname)
    // The client never ends the connection: the server must close it.
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')))
    socket.on('end', () => socket.end())
    socket.on('close', () => resolve(answer))
    // A reset after the reply; the bytes before it count.
    socket.on('error', () => resolve(answer))
    for (const piece of pieces) socket.write(piece, 'latin1')
  })
}

/** Parses one answer, which must be complete and followed by nothing. */
export function readAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Headers(lines.map((line): [string, string] => splitAt(line, ': ')))
  const body = rest.join('\r\n\r\n')
  if (headers.has('content-length') && Number(headers.get('content-length')) !== Buffer.byteLength(body, 'latin1')) {
    throw new Error(`not one whole answer: ${text}`)
  }
  return { status: Number(first.split(' ')[1]), headers, body }
}

/** The message of a refusal in the contract's shape, on a connection that ends with it. */
export function readRefusal(text: string, status: number): string {
  const answer = readAnswer(text)
  const { error } = z.parse(errorReply, JSON.parse(answer.body))
  const facts = [answer.status, error.code, answer.headers.get('content-type'), answer.headers.get('connection')]
  const wanted = [status, status, 'application/json; charset=UTF-8', 'close']
  if (JSON.stringify(facts) !== JSON.stringify(wanted)) throw new Error(`not the refusal of ${status}: ${text}`)
  if (error.request_id === undefined || answer.headers.get('x-request-id') !== error.request_id) {
    throw new Error(`no request id: ${text}`)
  }
  return error.message
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return [text.slice(0, at), text.slice(at + mark.length)]
}
