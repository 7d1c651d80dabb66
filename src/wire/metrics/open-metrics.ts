import { setTimeout as sleep } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import { tellSupervisor } from '../siblings.ts'
import type { MetricsAddress } from './address.ts'
import { RECORDED, recordTo } from './record.ts'
import { serveMetrics } from './serve.ts'

const PREFIX = 'strongroom_'
/** A supervisor waits 3 seconds for all metrics of a process, and has none of them if one takes longer. */
const READ_MS = 2500

type Values = [labels: Record<string, string>, value: number][]

/** A value that is read when somebody asks for the metrics. Without values, the metric is absent. */
export interface Gauge {
  help: string
  labels?: readonly string[]
  read(): Promise<Values> | Values
}

export interface MetricsOptions {
  /** `service`, `service-2`, `worker` or `proxy`: a label of every metric. */
  process: string
  at: MetricsAddress
  gauges: Record<string, Gauge>
}

/** Records metrics from now on, and serves them. */
export async function openMetrics({ process: name, at, gauges }: MetricsOptions): Promise<void> {
  const registry = await createRegistry(name, gauges)
  if (at !== 'parent') return void (await serveMetrics(at, () => registry.metrics()))
  process.on('message', (message: object) => {
    if (!('scrape' in message)) return
    void registry.getMetricsAsJSON().then((metrics) => tellSupervisor({ metrics }))
  })
}

async function createRegistry(name: string, gauges: Record<string, Gauge>): Promise<Registry> {
  const { Registry, Counter, Histogram, Gauge: PromGauge, collectDefaultMetrics } = await import('prom-client')
  const registry = new Registry()
  registry.setDefaultLabels({ process: name })
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const sinks = new Map<string, (labels: Record<string, string>, value: number) => void>()
  for (const [each, { help, labels, ...more }] of Object.entries(RECORDED)) {
    const common = { name: PREFIX + each, help, labelNames: [...labels], registers }
    if ('buckets' in more) {
      const histogram = new Histogram({ ...common, buckets: [...more.buckets] })
      sinks.set(each, (values, value) => histogram.observe(values, value))
    } else {
      const counter = new Counter(common)
      sinks.set(each, (values, value) => counter.inc(values, value))
    }
  }
  for (const [each, { help, labels = [], read }] of Object.entries(gauges)) {
    const gauge = new PromGauge<string>({
      name: PREFIX + each,
      help,
      labelNames: [...labels],
      registers: [],
      async collect() {
        const values = await valuesOf(read)
        this.reset()
        // A reset gives a metric without labels the value 0.
        if (labels.length === 0) this.remove()
        for (const [of, value] of values) this.set(of, value)
      },
    })
    registry.registerMetric(gauge)
  }
  recordTo((metric, labels, value) => sinks.get(metric)?.(labels, value))
  return registry
}

/** What cannot be read now, such as the queue while the database is away, is left out. */
async function valuesOf(read: Gauge['read']): Promise<Values> {
  const reading = Promise.resolve()
    .then(read)
    .catch(() => [])
  return Promise.race([reading, sleep(READ_MS, [], { ref: false })])
}
