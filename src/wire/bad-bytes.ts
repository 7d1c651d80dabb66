import { randomUUID } from 'node:crypto'
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorReply } from '../contract/errors.ts'
import { linger } from './linger.ts'

/** Node's error code -> the status and message for the client. */
const FAULTS: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
}
const MALFORMED: [status: number, message: string] = [400, 'The request is malformed.']

const replies = new WeakMap<Duplex, ServerResponse>()
const refused = new WeakSet<Duplex>()

/** Must be called for every reply: a refusal must not be written into a reply that has begun. */
export function noteReply(reply: ServerResponse): void {
  if (reply.socket) replies.set(reply.socket, reply)
}

/** Refuses bytes that are not an HTTP request. There is no request to answer, only a socket. For `clientError`. */
export function refuseBadBytes(error: Error & { code?: string }, socket: Duplex): void {
  // Bytes after the refusal are not a request either.
  if (refused.has(socket)) return
  const reply = replies.get(socket)
  const isAnswering = reply?.headersSent === true && !reply.writableFinished
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) return void socket.destroy()
  refused.add(socket)
  const [status, message] = FAULTS[error.code ?? ''] ?? MALFORMED
  socket.end(replyOf(status, message))
  void linger(socket).then(() => socket.destroy())
}

function replyOf(code: number, message: string): string {
  const request_id = randomUUID()
  const body = JSON.stringify({ error: { code, message, request_id } } satisfies ErrorReply)
  const head = [
    `HTTP/1.1 ${code} ${STATUS_CODES[code]}`,
    'Content-Type: application/json; charset=UTF-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: private, no-store',
    `X-Request-Id: ${request_id}`,
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
