import type { CallTime, Facts, Sample } from './sampler.ts'

export interface Verdict {
  holds: boolean
  text: string
}

/** Permitted share by which memory may grow, and answers may slow down, between the first quarter and the end. */
const MEMORY_GROWTH = 0.1
const P99_DRIFT = 0.2
/** Permitted growth of open files: their number, with connections, varies with the traffic. */
const FILES_GROWTH = 20

/** Compares the period after the first quarter, when everything is warm, with the end. */
export function verdicts(samples: readonly Sample[], calls: readonly CallTime[]): Verdict[] {
  const end = samples.at(-1)?.at ?? 0
  const between = <T extends { at: number }>(list: readonly T[], from: number, to: number) =>
    list.filter(({ at }) => at >= from * end && at <= to * end)
  const [early, late] = [between(samples, 0.25, 0.45), between(samples, 0.8, 1)]
  const parts = Object.keys(samples.at(-1)?.parts ?? {})
  const meanOf = (list: readonly Sample[], part: string, fact: keyof Facts) =>
    mean(list.flatMap((each) => each.parts[part]?.[fact] ?? []))
  const growth = (part: string, fact: keyof Facts, unit: number, may: (before: number) => number, name: string) => {
    const [before, after] = [meanOf(early, part, fact) / unit, meanOf(late, part, fact) / unit]
    return verdictOf(`${name} of ${part}`, before, after, after <= before + may(before))
  }
  const p99 = (from: number, to: number) =>
    percentile(
      between(calls, from, to).map(({ ms }) => ms),
      0.99,
    )
  const [before, after] = [p99(0.25, 0.5), p99(0.75, 1)]
  const jobs = [mean(early.map((each) => each.jobs)), mean(late.map((each) => each.jobs))] as const
  return [
    ...parts.map((part) => growth(part, 'rss', 1024 ** 2, (mb) => mb * MEMORY_GROWTH, 'memory (MB)')),
    ...parts.map((part) => growth(part, 'files', 1, () => FILES_GROWTH, 'open files')),
    verdictOf('jobs in the queue', ...jobs, jobs[1] <= jobs[0] + 20),
    verdictOf('p99 of all calls (ms)', before, after, after <= before * (1 + P99_DRIFT)),
  ]
}

function verdictOf(name: string, before: number, after: number, holds: boolean): Verdict {
  return { holds, text: `${holds ? 'ok  ' : 'FAIL'} ${name}: ${before.toFixed(1)} -> ${after.toFixed(1)}` }
}

const mean = (list: readonly number[]) => list.reduce((sum, each) => sum + each, 0) / Math.max(list.length, 1)

function percentile(list: readonly number[], part: number): number {
  const sorted = list.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
