import { writeFile } from 'node:fs/promises'

/** The result for one kind of work: our figure beside a reference measured in the same run. */
export interface Figure {
  work: string
  unit: 'per s' | 'ms' | 'MB/s' | 'MiB' | 'count'
  ours: number
  /** The same work done by the machine itself or by the layer below us. */
  reference?: { name: string; value: number }
  goal?: string
}

const ROUNDS = 3
const WARM_UP = 0.2

/** Operations per second, `lanes` at a time: `run(at)` is called `total` times, after a warm-up. */
export async function rate(total: number, lanes: number, run: (at: number) => Promise<unknown>): Promise<number> {
  const warmUp = Math.ceil(total * WARM_UP)
  for (let at = 0; at < warmUp; at++) await run(at)
  let next = warmUp
  const begun = performance.now()
  const lane = async () => {
    while (next < warmUp + total) await run(next++)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return total / ((performance.now() - begun) / 1000)
}

/** Returns the milliseconds of one run. */
export async function time(run: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await run()
  return performance.now() - begun
}

/** Measures ours and the reference alternately, so that both see the same load. @returns the medians of all rounds */
export async function byTurns(
  ours: () => Promise<number>,
  reference: () => Promise<number>,
): Promise<{ ours: number; reference: number }> {
  const rounds: [number, number][] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push([await ours(), await reference()])
  return { ours: median(rounds.map(([value]) => value)), reference: median(rounds.map(([, value]) => value)) }
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Returns the median and the 95th percentile of the times, in milliseconds. */
export function spread(work: string, times: readonly number[], goal?: string): Figure[] {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return [
    { work: `${work}, median`, unit: 'ms', ours: at(0.5) },
    { work: `${work}, 95 of 100`, unit: 'ms', ours: at(0.95), ...(goal !== undefined && { goal }) },
  ]
}

/** Prints the figures as a table and writes them to `file` as JSON, with `more` results beside them. */
export async function report(figures: Figure[], file: string, more: object = {}): Promise<void> {
  console.table(
    figures.map(({ work, unit, ours, reference, goal = '' }) => ({
      work,
      unit,
      ours: shown(ours),
      reference: reference ? shown(reference.value) : '',
      'ours : reference': reference ? (ours / reference.value).toFixed(2) : '',
      'what the reference is': reference?.name ?? '',
      goal,
    })),
  )
  await writeFile(file, `${JSON.stringify({ measured_at: new Date().toISOString(), figures, ...more }, null, 2)}\n`)
  console.log(`The same as JSON: ${file}`)
}

function shown(value: number): number {
  return Number(value.toPrecision(3))
}
