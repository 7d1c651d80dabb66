import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { beginChild, currentTraceparent, errorTypeOf, type Span } from '../wire/traces/span.ts'

interface Traced {
  options: Dispatcher.DispatchOptions
  handler: Dispatcher.DispatchHandler
}

/** Names the trace to the service, and measures the time until its reply begins, with all attempts. */
export function traceDispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): Traced {
  const span = beginChild('service', { kind: 'client', attributes: { 'http.request.method': options.method } })
  // A trace that is not sampled is named too, or the service would begin one of its own.
  const traceparent = span?.traceparent ?? currentTraceparent()
  if (traceparent === null) return { options, handler }
  return {
    options: { ...options, headers: { ...(options.headers as Record<string, string>), traceparent } },
    handler: span ? new TracedHandler(handler, span) : handler,
  }
}

class TracedHandler implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler
  readonly #span: Span

  constructor(handler: Dispatcher.DispatchHandler, span: Span) {
    this.#handler = handler
    this.#span = span
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#handler.onRequestStart?.(controller, context)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    message?: string,
  ): void {
    if (status >= 200)
      this.#span.end({ 'http.response.status_code': status }, status >= 500 ? String(status) : undefined)
    this.#handler.onResponseStart?.(controller, status, headers, message)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#handler.onResponseData?.(controller, chunk)
  }

  onResponseEnd(controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    this.#handler.onResponseEnd?.(controller, trailers)
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    this.#span.end({}, errorTypeOf(error))
    this.#handler.onResponseError?.(controller, error)
  }
}
