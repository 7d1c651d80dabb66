import type { Dispatcher } from 'undici'
import { beginChild, currentTraceparent, errorTypeOf, type Span } from '../wire/traces/span.ts'
import { PassingHandler } from './passing-handler.ts'

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

class TracedHandler extends PassingHandler {
  readonly #span: Span

  constructor(handler: Dispatcher.DispatchHandler, span: Span) {
    super(handler)
    this.#span = span
  }

  override onResponseStart(...args: Parameters<PassingHandler['onResponseStart']>): void {
    const [, status] = args
    if (status >= 200)
      this.#span.end({ 'http.response.status_code': status }, status >= 500 ? String(status) : undefined)
    super.onResponseStart(...args)
  }

  override onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    this.#span.end({}, errorTypeOf(error))
    super.onResponseError(controller, error)
  }
}
