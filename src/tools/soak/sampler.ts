import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { FaultyStack, Part } from '../faults/stack.ts'

export interface Sample {
  /** Milliseconds since the sampler was created. */
  at: number
  /** Facts keyed by the name of the process. */
  parts: Record<string, Facts>
  jobs: number
}

export interface Facts {
  rss: number
  files: number
  heap?: number
  loop_p99_ms?: number
  connections?: number
}

export interface CallTime {
  at: number
  ms: number
}

const PARTS: readonly Part[] = ['service', 'worker', 'proxy', 'database', 'supervisor']
const MB = 1024 ** 2

/** Samples every process from outside, and reads the vitals in its log. */
export function createSampler(stack: FaultyStack) {
  const begun = Date.now()
  const samples: Sample[] = []
  const calls: CallTime[] = []

  async function sample(): Promise<string> {
    const parts: Record<string, Facts> = {}
    for (const part of PARTS) {
      const pid = stack.pidOf(part)
      if (pid !== undefined) parts[part] = { ...factsOf(pid), ...(await lastVitals(stack, part)) }
    }
    const jobs = await countJobs(stack.databaseUrl())
    samples.push({ at: Date.now() - begun, parts, jobs })
    const words = Object.entries(parts).map(
      ([part, { rss, files, loop_p99_ms: late }]) =>
        `${part} ${Math.round(rss / MB)} MB ${files} files${late === undefined ? '' : ` ${late} ms`}`,
    )
    return `${Math.round((Date.now() - begun) / 1000)} s: ${words.join(' · ')} · ${jobs} jobs · ${calls.length} calls`
  }

  return {
    samples,
    calls,
    sample,
    noteCall: (ms: number) => void calls.push({ at: Date.now() - begun, ms }),
  }
}

function factsOf(pid: number): Facts {
  const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  return { rss, files: readdirSync(`/proc/${pid}/fd`).length }
}

async function lastVitals({ dataDir }: FaultyStack, part: Part): Promise<Partial<Facts>> {
  const text = await readFile(join(dataDir, 'logs', `${part}.log`), 'utf8').catch(() => '')
  // The log may be read while its last line is being written.
  const complete = text.slice(0, text.lastIndexOf('\n') + 1)
  const line = complete.split('\n').findLast((each) => each.includes('"msg":"vitals"'))
  if (!line) return {}
  const { heap, loop_p99_ms, connections } = JSON.parse(line) as Partial<Facts>
  return {
    ...(heap && { heap }),
    ...(loop_p99_ms !== undefined && { loop_p99_ms }),
    ...(connections && { connections }),
  }
}

async function countJobs(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query('select count(*)::int as count from jobs where parked_at is null')
    return (rows[0] as { count: number }).count
  } finally {
    await client.end()
  }
}
