import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorReply } from '../contract/errors.ts'
import { record } from '../wire/metrics/record.ts'
import { linger } from '../wire/linger.ts'
import type { Exchange } from './exchange.ts'
import { failurePage, PLAIN_POLICY, spoken } from './own-pages/plain-page.ts'
import { Refusal, refused } from './refusal.ts'

export function sendJson(
  { request, reply, id, method, headers }: Exchange,
  status: number,
  body: unknown,
  more: Record<string, string | string[]> = {},
): void {
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  reply.writeHead(status, {
    ...headers,
    'Cache-Control': 'private, no-store',
    'X-Request-Id': id,
    ...(bytes && { 'Content-Type': 'application/json; charset=UTF-8', 'Content-Length': bytes.length }),
    ...(isSending(request) && { Connection: 'close' }),
    ...more,
  })
  if (bytes && method !== 'HEAD') reply.write(bytes)
  endAfterBody(request, reply)
}

/** Sends a page of plain-page.ts. */
export function sendPage(
  { request, reply, id, method, headers }: Exchange,
  status: number,
  page: string,
  more: Record<string, string> = {},
): void {
  const bytes = Buffer.from(page)
  reply.writeHead(status, {
    ...headers,
    'content-security-policy': PLAIN_POLICY,
    'Cache-Control': 'private, no-store',
    'Content-Type': 'text/html; charset=UTF-8',
    'Content-Length': bytes.length,
    'X-Request-Id': id,
    ...(isSending(request) && { Connection: 'close' }),
    ...more,
  })
  if (method !== 'HEAD') reply.write(bytes)
  endAfterBody(request, reply)
}

/** Whether a browser shows the reply to a person, and no program of ours reads it. */
export const isOpened = ({ request, path }: Exchange): boolean =>
  request.headers['sec-fetch-mode'] === 'navigate' && !path.startsWith('/api/')

/** Redirects the browser. @param cookies Set-Cookie headers */
export function sendRedirect(
  { request, reply, id, headers }: Exchange,
  location: string,
  cookies: readonly string[],
): void {
  reply.writeHead(302, {
    ...headers,
    Location: location,
    'Cache-Control': 'private, no-store',
    'X-Request-Id': id,
    'Set-Cookie': [...cookies],
    'Content-Length': 0,
  })
  endAfterBody(request, reply)
}

/** Answers with the failure; an unexpected error is logged and reported as 500 without its message. */
export function sendFailure(exchange: Exchange, error: unknown): void {
  if (exchange.request.socket.destroyed) return
  const refusal = error instanceof Refusal ? error : unexpected(exchange, error)
  logFailure(exchange, refusal, error)
  record('refusals_total', { reason: refusal.reason ?? `status_${refusal.status}` })
  if (exchange.reply.headersSent) return void exchange.reply.destroy()
  if (isOpened(exchange)) {
    const page = failurePage(spoken(exchange.request), refusal, exchange.id)
    return sendPage(exchange, refusal.status, page, refusal.headers)
  }
  const body: ErrorReply = {
    error: {
      code: refusal.status,
      message: refusal.message,
      ...(refusal.reason && { reason: refusal.reason }),
      ...(refusal.params && { params: refusal.params }),
      request_id: exchange.id,
    },
  }
  sendJson(exchange, refusal.status, body, refusal.headers)
}

/** Expiring URLs and the links of mails are credentials, which no log has. */
export const withoutCredential = (path: string): string => /^\/(?:content|unsubscribe)\//.exec(path)?.[0] ?? path

/** Refusals are the caller's concern; failures of the proxy or the service are the operator's. */
function logFailure({ log, id, method, path }: Exchange, { status }: Refusal, err: unknown): void {
  if (status < 500) return
  const route = withoutCredential(path)
  log[status === 500 ? 'error' : 'warn']({ request_id: id, method, route, status, err }, 'no answer could be given')
}

function unexpected({ id, method, path }: Exchange, error: unknown): Refusal {
  console.error(`proxy: ${method} ${withoutCredential(path)} ${id}:`, error)
  return refused('internal_failure')
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Whether part of the body is still to come, which must not be read as the next request. */
export function isSending(request: IncomingMessage): boolean {
  return hasBody(request) && !request.complete && !request.destroyed
}

/** Ends a reply that may be early. */
export function endAfterBody(request: IncomingMessage, reply: ServerResponse): void {
  if (!isSending(request)) return void reply.end()
  void linger(request).then(() => reply.end())
}
