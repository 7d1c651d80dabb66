import type { Registry } from 'prom-client'
import { tellSupervisor } from '../siblings.ts'
import type { MetricsAddress } from './address.ts'
import { RECORDED, recordTo } from './record.ts'
import { serveMetrics } from './serve.ts'

const PREFIX = 'strongroom_'

/** A value that is read when somebody asks for the metrics. */
export interface Gauge {
  help: string
  labels?: readonly string[]
  read(): Promise<[labels: Record<string, string>, value: number][]> | [labels: Record<string, string>, value: number][]
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
        // What cannot be read now, such as the queue while the database is away, is left out.
        const values = await Promise.resolve()
          .then(read)
          .catch(() => [])
        this.reset()
        for (const [of, value] of values) this.set(of, value)
      },
    })
    registry.registerMetric(gauge)
  }
  recordTo((metric, labels, value) => sinks.get(metric)?.(labels, value))
  return registry
}
