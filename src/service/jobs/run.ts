import { Undeliverable } from '../../mail/transport.ts'
import type { Db } from '../db/pool.ts'
import {
  attemptsOf,
  JOB_KINDS,
  failJob,
  finishJob,
  type Job,
  type JobKind,
  type JobPayloads,
  LEASE_SECONDS,
  parkJob,
  renewLease,
  takeJob,
} from './queue.ts'

/** How each kind of job is done. */
export type Runners = { [K in JobKind]: (payload: JobPayloads[K]) => Promise<void> }

/** What else to do when a job of that kind is parked. */
export type WhenParked = { [K in JobKind]?: (payload: JobPayloads[K], reason: string) => Promise<void> }

interface Rules {
  kinds?: readonly JobKind[]
  whenParked?: WhenParked
}

/** What is done twice does harm: after a worker's death in the middle these are left to people. */
const NEVER_TWICE: ReadonlySet<JobKind> = new Set(['mail'])
const INTERRUPTED = 'A worker died while it did this; nobody knows how far it came.'

/** Does the next job that is due. @returns whether there was one */
export async function runNextJob(
  db: Db,
  runners: Runners,
  { kinds = JOB_KINDS, whenParked = {} }: Rules = {},
): Promise<boolean> {
  const job = await takeJob(db, kinds)
  if (!job) return false
  if (job.interrupted && (NEVER_TWICE.has(job.kind) || job.attempts > attemptsOf(job.kind))) {
    await park(db, whenParked, job, INTERRUPTED)
    return true
  }
  const renewal = setInterval(() => void renewLease(db, job).catch(() => {}), (LEASE_SECONDS * 1000) / 3)
  try {
    await perform(runners, job)
  } catch (error) {
    const reason = reasonOf(error)
    if (error instanceof Undeliverable) await park(db, whenParked, job, reason)
    else if ((await failJob(db, job, reason)) === 'parked') await tellParked(whenParked, job, reason)
    return true
  } finally {
    clearInterval(renewal)
  }
  // When this fails, the job was done all the same: its lease runs out as if the worker had died.
  await finishJob(db, job)
  return true
}

function perform<K extends JobKind>(runners: Runners, job: { kind: K; payload: JobPayloads[K] }): Promise<void> {
  return runners[job.kind](job.payload)
}

async function park(db: Db, whenParked: WhenParked, job: Job, reason: string): Promise<void> {
  await parkJob(db, job, reason)
  await tellParked(whenParked, job, reason)
}

async function tellParked<K extends JobKind>(
  whenParked: WhenParked,
  job: { kind: K; payload: JobPayloads[K] },
  reason: string,
): Promise<void> {
  await whenParked[job.kind]?.(job.payload, reason)
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 1000)
}
