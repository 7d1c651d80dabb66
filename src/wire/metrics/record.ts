import { traced } from '../traces/span.ts'

/** The metrics that code records as it works. Each label has few values, none of them chosen by a client. */
export const RECORDED = {
  http_request_duration_seconds: {
    help: 'Time from the head of a request to the end of its reply, by endpoint of the contract',
    labels: ['endpoint', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2.5, 10],
  },
  proxy_request_duration_seconds: {
    help: 'The same at the proxy, by part of the site',
    labels: ['route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2.5, 10],
  },
  job_duration_seconds: {
    help: 'Time of one turn of a job, by kind and outcome',
    labels: ['kind', 'outcome'],
    buckets: [0.1, 0.5, 2, 10, 60, 300],
  },
  step_duration_seconds: {
    help: 'Time of one step of a document (drawing a page, stamping, converting, scanning), with the wait for a process',
    labels: ['step', 'outcome'],
    buckets: [0.02, 0.1, 0.5, 2, 10, 60],
  },
  refusals_total: { help: 'Refused requests, by reason of the contract', labels: ['reason'] },
  blob_bytes_total: { help: 'Bytes of content read from and written to the storage', labels: ['direction'] },
  upstream_retries_total: { help: 'Requests that the proxy sent to another node of the service', labels: [] },
} as const

export type Recorded = keyof typeof RECORDED
export type Labels<Name extends Recorded> = Record<(typeof RECORDED)[Name]['labels'][number], string>
type Sink = (name: Recorded, labels: Record<string, string>, value: number) => void

let sink: Sink | undefined

export const recordTo = (to: Sink): void => void (sink = to)

/** Without METRICS_PORT nothing is recorded, and callers with costly values should not measure them. */
export const isRecording = (): boolean => sink !== undefined

export function record<Name extends Recorded>(name: Name, labels: Labels<Name>, value = 1): void {
  sink?.(name, labels, value)
}

/** 2xx, 3xx, 4xx or 5xx. */
export const statusClass = (status: number): string => `${Math.floor(status / 100)}xx`

/** Records the time that the work takes, and whether it fails. */
export async function timed<Result>(step: string, work: () => Promise<Result>): Promise<Result> {
  if (!sink) return traced(step, work)
  const begun = performance.now()
  const end = (outcome: string) =>
    record('step_duration_seconds', { step, outcome }, (performance.now() - begun) / 1000)
  try {
    const result = await traced(step, work)
    end('done')
    return result
  } catch (error) {
    end('failed')
    throw error
  }
}
