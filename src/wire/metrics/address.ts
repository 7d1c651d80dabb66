export interface Address {
  host: string
  port: number
}

/** With `parent`, the supervisor collects the metrics of its processes and serves them together. */
export type MetricsAddress = Address | 'parent'

export function addressOfMetrics(port: number | 'parent' | undefined, host: string): MetricsAddress | undefined {
  return port === undefined || port === 'parent' ? port : { host, port }
}
