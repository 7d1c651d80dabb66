import type { Db } from '../db/pool.ts'
import {
  failJob,
  finishJob,
  type JobKind,
  type JobPayloads,
  LEASE_SECONDS,
  MAX_ATTEMPTS,
  parkJob,
  renewLease,
  takeJob,
} from './queue.ts'

/** How each kind of job is done. */
export type Runners = { [K in JobKind]: (payload: JobPayloads[K]) => Promise<void> }

/** What is done twice does harm: after a worker's death in the middle these are left to people. */
const NEVER_TWICE: ReadonlySet<JobKind> = new Set(['mail'])

/** Does the next job that is due. @returns whether there was one */
export async function runNextJob(db: Db, runners: Runners): Promise<boolean> {
  const job = await takeJob(db)
  if (!job) return false
  if (job.interrupted && (NEVER_TWICE.has(job.kind) || job.attempts > MAX_ATTEMPTS)) {
    await parkJob(db, job, 'A worker died while it did this; nobody knows how far it came.')
    return true
  }
  const renewal = setInterval(() => void renewLease(db, job).catch(() => {}), (LEASE_SECONDS * 1000) / 3)
  try {
    await perform(runners, job)
    await finishJob(db, job)
  } catch (error) {
    await failJob(db, job, reasonOf(error))
  } finally {
    clearInterval(renewal)
  }
  return true
}

function perform<K extends JobKind>(runners: Runners, job: { kind: K; payload: JobPayloads[K] }): Promise<void> {
  return runners[job.kind](job.payload)
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 1000)
}
