import { afterEach, expect, test, vi } from 'vitest'
import { openTraces, type Traces } from './open-traces.ts'
import type { TraceSettings } from './settings.ts'
import { beginChild, beginSpan, currentTraceparent, isTracing, within } from './span.ts'

const SETTINGS: TraceSettings = { sampler: 'parentbased_always_on', ratio: 1, fromFrontServers: false }
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const sampled = `00-${TRACE}-b7ad6b7169203331-01`

let traces: Traces | undefined
const warn = vi.fn<() => void>()

async function open(settings: Partial<TraceSettings> = {}): Promise<void> {
  // Nothing answers there.
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:1')
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'authorization=c0llector-secret')
  traces = await openTraces({ process: 'service', settings: { ...SETTINGS, ...settings }, log: { warn } as never })
}

afterEach(async () => {
  await traces?.close()
  vi.unstubAllEnvs()
})

const begin = (remote?: string) => beginSpan('GET /', { kind: 'server', remote })!

test('without settings nothing is traced', async () => {
  const { close } = await openTraces({ process: 'service', settings: undefined, log: { warn } as never })
  expect(isTracing()).toBe(false)
  expect(begin()).toBeUndefined()
  expect(currentTraceparent()).toBeNull()
  await close()
})

test('a span continues the trace of a valid traceparent', async () => {
  await open()
  const span = begin(sampled)
  expect(span.traceparent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`))
  within(span, () => expect(beginChild('part', { kind: 'internal' })?.traceparent).toContain(TRACE))
})

test.each([
  `01-${TRACE}-b7ad6b7169203331-01`,
  `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-b7ad6b7169203331-01`,
  `${sampled}-more`,
  `${sampled}, ${sampled}`,
  'x'.repeat(10_000),
])('K50: the malformed traceparent %.70s begins a new trace', async (text) => {
  await open()
  expect(begin(text).traceparent).not.toContain(TRACE)
})

test('a trace that is left out at its beginning is left out everywhere', async () => {
  await open({ sampler: 'parentbased_traceidratio', ratio: 0 })
  const root = begin()
  expect([root.isRecording(), root.traceparent.slice(-2)]).toEqual([false, '00'])
  within(root, () => {
    expect(beginChild('part', { kind: 'internal' })).toBeUndefined()
    expect(currentTraceparent()).toBe(root.traceparent)
  })
  expect(begin(root.traceparent).isRecording()).toBe(false)
  expect(begin(sampled).isRecording()).toBe(true)
})

test('work after the end of its request adds nothing to its trace', async () => {
  await open()
  const span = begin()
  span.end()
  within(span, () => expect(beginChild('late', { kind: 'internal' })).toBeUndefined())
})

test('without a receiver a program ends all the same, and the log has no secret', async () => {
  await open()
  for (let made = 0; made < 5000; made++) begin().end()
  await traces?.close()
  await vi.waitFor(() => expect(warn).toHaveBeenCalled(), 15_000)
  expect(JSON.stringify(warn.mock.calls)).not.toContain('c0llector-secret')
}, 30_000)
