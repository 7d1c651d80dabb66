import type { Log } from '../log.ts'
import { createRateLimit } from '../rates/rate-limit.ts'
import type { TraceSettings } from './settings.ts'
import { type Span, type SpanOptions, traceTo } from './span.ts'

export interface Traces {
  /** Sends what is left, and ends within seconds even if nobody receives it. */
  close(): Promise<void>
}

interface TraceOptions {
  /** `proxy`, `service`, `service-2` or `worker`, as in logs and metrics. */
  process: string
  settings: TraceSettings | undefined
  log: Pick<Log, 'warn'>
}

const FLUSH_MS = 3000
const WARN_EVERY_MS = 10 * 60_000
/** Version 00 of W3C Trace Context; ids of zeros are invalid. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

/** Sends traces from now on, if that is configured; only then are the packages loaded. */
export async function openTraces({ process: name, settings, log }: TraceOptions): Promise<Traces> {
  if (!settings) return { close: async () => {} }
  const [{ diag, DiagLogLevel, isSpanContextValid, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace }, sdk, resources] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/resources'),
    ])
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto')
  const warn = warnSeldom(log)
  const silent = () => {}
  diag.setLogger({ error: warn, warn: silent, info: silent, debug: silent, verbose: silent }, DiagLogLevel.ERROR)
  const { resourceFromAttributes, detectResources, resourceAttributesEnvDetector, serviceNameEnvDetector } = resources
  const program = name.replace(/-\d+$/, '')
  const provider = new sdk.TracerProvider({
    sampler: samplerOf(sdk, settings),
    resource: resourceFromAttributes({
      'service.name': `strongroom-${program}`,
      'service.instance.id': `${name}-${crypto.randomUUID()}`,
      'strongroom.process': name,
    }).merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const tracer = provider.getTracer('strongroom')
  const kinds = {
    server: SpanKind.SERVER,
    client: SpanKind.CLIENT,
    consumer: SpanKind.CONSUMER,
    internal: SpanKind.INTERNAL,
  }
  const contexts = new WeakMap<Span, typeof ROOT_CONTEXT>()

  const contextOf = (remote: SpanOptions['remote'], parent: Span | undefined) => {
    const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(remote ?? '') ?? []
    const sent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
    if (isSpanContextValid(sent)) return trace.setSpanContext(ROOT_CONTEXT, sent)
    return (parent && contexts.get(parent)) ?? ROOT_CONTEXT
  }
  traceTo((title, { kind, remote, attributes = {} }, parent) => {
    const context = contextOf(remote, parent)
    const begun = tracer.startSpan(title, { kind: kinds[kind], attributes }, context)
    const { traceId, spanId, traceFlags } = begun.spanContext()
    const span: Span = {
      traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`,
      isRecording: () => begun.isRecording(),
      end(more = {}, error) {
        if (!begun.isRecording()) return
        begun.setAttributes(error === undefined ? more : { ...more, 'error.type': error })
        if (error !== undefined) begun.setStatus({ code: SpanStatusCode.ERROR })
        begun.end()
      },
    }
    contexts.set(span, trace.setSpan(context, begun))
    return span
  })
  return {
    async close() {
      traceTo(undefined)
      const late = new Promise((resolve) => setTimeout(resolve, FLUSH_MS).unref())
      await Promise.race([provider.shutdown().catch(warn), late])
    },
  }
}

type Sdk = typeof import('@opentelemetry/sdk-trace')

function samplerOf(sdk: Sdk, { sampler, ratio }: TraceSettings) {
  const roots = {
    always_on: () => new sdk.AlwaysOnSampler(),
    always_off: () => new sdk.AlwaysOffSampler(),
    traceidratio: () => new sdk.TraceIdRatioBasedSampler(ratio),
  }
  const root = roots[sampler.replace('parentbased_', '') as keyof typeof roots]()
  return sampler.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root
}

/** The packages report every batch that they could not send. */
function warnSeldom(log: Pick<Log, 'warn'>): (error: unknown) => void {
  const limit = createRateLimit({ count: 1, periodMs: WARN_EVERY_MS, burst: 1 }, () => new Date())
  return (error) => {
    if (limit.take('traces').waitMs === 0) log.warn({ reason: String(error).slice(0, 300) }, 'traces could not be sent')
  }
}
