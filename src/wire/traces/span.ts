import { AsyncLocalStorage } from 'node:async_hooks'

/** Names and numbers of the code and the contract: never what a client sent, because traces leave the installation. */
export type Attributes = Record<string, string | number>

export interface Span {
  /** W3C Trace Context, section 3.2. */
  traceparent: string
  /** False after its end, and for a trace that the sampler leaves out. */
  isRecording(): boolean
  /** @param error the kind of failure: a status, an SQLSTATE or the name of a class, never a message */
  end(attributes?: Attributes, error?: string): void
}

export interface SpanOptions {
  kind: 'server' | 'client' | 'consumer' | 'internal'
  /** A traceparent that another program of ours sent; without one, the current span is the parent. */
  remote?: string | null | undefined
  attributes?: Attributes
}

export type Tracer = (name: string, options: SpanOptions, parent: Span | undefined) => Span

let tracer: Tracer | undefined
const current = new AsyncLocalStorage<Span>()

export const traceTo = (to: Tracer | undefined): void => void (tracer = to)

export const isTracing = (): boolean => tracer !== undefined

/** Begins the span of a request or a job, which may be the first of its trace. */
export const beginSpan = (name: string, options: SpanOptions): Span | undefined =>
  tracer?.(name, options, current.getStore())

/** Begins a part of the current span. Undefined without one, so that work of the installation makes no traces. */
export function beginChild(name: string, options: SpanOptions): Span | undefined {
  const parent = tracer && current.getStore()
  return parent?.isRecording() ? tracer?.(name, options, parent) : undefined
}

/** Does the work of a span: spans that begin meanwhile are its children. */
export const within = <Result>(span: Span | undefined, work: () => Result): Result =>
  span ? current.run(span, work) : work()

/** The current span for another program; null if there is none. */
export const currentTraceparent = (): string | null => (tracer && current.getStore()?.traceparent) ?? null

/** Makes the work a child of the current span. */
export async function traced<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const span = beginChild(name, { kind: 'internal' })
  if (!span) return work()
  try {
    const result = await within(span, work)
    span.end()
    return result
  } catch (error) {
    span.end({}, errorTypeOf(error))
    throw error
  }
}

/** The SQLSTATE or the code of the system where there is one. */
export function errorTypeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : String(name ?? 'unknown')
}
