import type { MetricObject } from 'prom-client'
import type { Address } from './address.ts'
import { serveMetrics } from './serve.ts'

/** Serves the metrics of several processes as one. Each process is told apart by the label `process`. */
export async function serveTogether(at: Address, collect: () => Promise<unknown[]>): Promise<void> {
  const { AggregatorRegistry } = await import('prom-client')
  await serveMetrics(at, async () => {
    const collected = (await collect()) as MetricObject[][]
    return AggregatorRegistry.aggregate(collected).metrics()
  })
}
