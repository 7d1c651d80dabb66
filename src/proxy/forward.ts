import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Exchange } from './exchange.ts'
import { Refusal } from './refusal.ts'
import { endAfterBody, hasBody, isSending, sendFailure } from './reply.ts'
import { refusalFor } from './upstream.ts'

/**
 * Headers of the client that are forwarded. It is an allowlist, so that no cookie, no client-made signature, no
 * forwarding claim and no hop-by-hop header ever passes.
 */
const PASSED_ON = [
  'accept',
  'accept-encoding',
  'accept-language',
  'content-encoding',
  'content-length',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'prefer',
  'range',
  'user-agent',
] as const

/** Hop-by-hop headers (RFC 9110, 7.6.1), and cookies, which only the proxy sets. */
const NOT_RETURNED = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const REDIRECTS = new Set([301, 302, 303, 307, 308])

export interface ForwardOptions {
  /** Headers that the proxy adds: the signature. */
  headers?: Record<string, string>
  /** Headers of the reply, in lower case, in addition to the service's own. */
  fixed?: Record<string, string>
  /** Called once with the status and headers of the service's reply, before anything is sent. */
  onHead?: (status: number, headers: IncomingHttpHeaders) => void
  /** Returns the refusal to send in place of a reply with this status. */
  refuse?: (status: number) => Refusal | undefined
}

/**
 * Streams the request to the service and the reply back, without parsing or buffering. If either end breaks, both do.
 */
export function forward(upstream: Dispatcher, exchange: Exchange, options: ForwardOptions = {}): void {
  const { request, method } = exchange
  const body = hasBody(request) ? bodyOf(exchange) : null
  upstream.dispatch(
    {
      path: request.url ?? '/',
      method,
      headers: requestHeaders(exchange, options.headers),
      // undici accepts async iterables; its types do not say so.
      body: body as Dispatcher.DispatchOptions['body'],
    } as Dispatcher.DispatchOptions,
    new Relay(exchange, options),
  )
}

/** Yields the body until an early reply, then reads and drops the rest, which keeps the connection intact. */
async function* bodyOf({ request, reply }: Exchange): AsyncGenerator<Buffer> {
  if (request.headers.expect !== undefined && request.httpVersion !== '1.0') reply.writeContinue()
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (!reply.headersSent) yield chunk as Buffer
  }
}

function requestHeaders(
  { request, id, ip, vouch }: Exchange,
  own: Record<string, string> = {},
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of PASSED_ON) {
    const value = request.headers[name]
    if (typeof value === 'string') headers[name] = value
  }
  headers['x-forwarded-for'] = ip
  headers['x-request-id'] = id
  return Object.assign(headers, vouch(), own)
}

/** Passes the service's reply on to the client as it arrives, at the client's pace. */
class Relay implements Dispatcher.DispatchHandler {
  readonly #exchange: Exchange
  readonly #options: ForwardOptions
  #controller: Dispatcher.DispatchController | undefined

  constructor(exchange: Exchange, options: ForwardOptions) {
    this.#exchange = exchange
    this.#options = options
    const { reply } = exchange
    reply.on('close', () => {
      if (!reply.writableFinished) this.#controller?.abort(new Error('The client has gone.'))
    })
    reply.on('drain', () => this.#controller?.resume())
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#exchange.reply.destroyed) controller.abort(new Error('The client has gone.'))
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return
    if (headers['x-accel-redirect'] !== undefined)
      return controller.abort(new Refusal(502, 'The service answered for a front server, not for the proxy.'))
    if (REDIRECTS.has(status)) return controller.abort(new Refusal(502, 'The service answered with a redirect.'))
    const refusal = this.#options.refuse?.(status)
    if (refusal) return controller.abort(refusal)
    this.#options.onHead?.(status, headers)
    this.#exchange.reply.writeHead(status, replyHeaders(this.#exchange, headers, this.#options))
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#exchange.reply.write(chunk)) controller.pause()
  }

  onResponseEnd(): void {
    endAfterBody(this.#exchange.request, this.#exchange.reply)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { reply } = this.#exchange
    if (reply.writableEnded || reply.destroyed) return
    // After the first byte, only breaking the connection can tell the client that the rest is missing.
    if (reply.headersSent) reply.destroy()
    else sendFailure(this.#exchange, error instanceof Refusal ? error : refusalFor(error))
  }
}

function replyHeaders(
  { id, request, headers: always }: Exchange,
  given: IncomingHttpHeaders,
  { fixed }: ForwardOptions,
): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { 'x-request-id': id }
  const named = given.connection
    ?.toLowerCase()
    .split(',')
    .map((name) => name.trim())
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && !NOT_RETURNED.has(name) && !named?.includes(name)) headers[name] = value
  }
  Object.assign(headers, always, fixed)
  if (isSending(request)) headers['connection'] = 'close'
  return headers
}
