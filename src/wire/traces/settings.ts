import * as z from 'zod'

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

const endpoint = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional()
const protocol = z.literal('http/protobuf', 'must be http/protobuf').optional()
const passedOn = z.string().optional()

/** The standard variables of OpenTelemetry. Its packages read those that are only passed on, some of them secrets. */
export const TRACE_SETTINGS = {
  OTEL_SDK_DISABLED: z.enum(['true', 'false'], 'must be true or false').default('false'),
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol,
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS, `must be one of ${SAMPLERS.join(', ')}`).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('must be 0 to 1')
    .min(0, 'must be 0 to 1')
    .max(1, 'must be 0 to 1')
    .default(1),
  OTEL_PROPAGATORS: z.enum(['none', 'tracecontext'], 'must be none or tracecontext').default('none'),
  OTEL_SERVICE_NAME: passedOn,
  OTEL_RESOURCE_ATTRIBUTES: passedOn,
  OTEL_EXPORTER_OTLP_HEADERS: passedOn,
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: passedOn,
  OTEL_EXPORTER_OTLP_TIMEOUT: passedOn,
  OTEL_EXPORTER_OTLP_COMPRESSION: passedOn,
  OTEL_EXPORTER_OTLP_CERTIFICATE: passedOn,
  OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: passedOn,
  OTEL_EXPORTER_OTLP_CLIENT_KEY: passedOn,
}

export interface TraceSettings {
  sampler: (typeof SAMPLERS)[number]
  /** The share of traces that `traceidratio` keeps. */
  ratio: number
  /** Whether the servers in TRUSTED_PROXIES begin traces. Those of other clients are never continued. */
  fromFrontServers: boolean
}

/** Undefined unless an endpoint is configured. */
export function traceSettingsOf(v: z.output<z.ZodObject<typeof TRACE_SETTINGS>>): TraceSettings | undefined {
  const isConfigured = v.OTEL_EXPORTER_OTLP_ENDPOINT ?? v.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  if (!isConfigured || v.OTEL_SDK_DISABLED === 'true') return undefined
  return {
    sampler: v.OTEL_TRACES_SAMPLER,
    ratio: v.OTEL_TRACES_SAMPLER_ARG,
    fromFrontServers: v.OTEL_PROPAGATORS === 'tracecontext',
  }
}
