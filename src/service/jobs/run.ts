import { setTimeout as sleep } from 'node:timers/promises'
import { Undeliverable } from '../../mail/transport.ts'
import type { Log } from '../../wire/log.ts'
import { record } from '../../wire/metrics/record.ts'
import { beginSpan, errorTypeOf, within } from '../../wire/traces/span.ts'
import { isAway } from '../db/faults.ts'
import type { Db } from '../db/pool.ts'
import { lacksResources } from './lacks-resources.ts'
import type { Lanes } from './lanes.ts'
import {
  chargeShare,
  failJob,
  finishAndCharge,
  finishJob,
  type Job,
  type JobKind,
  type JobPayloads,
  LEASE_SECONDS,
  MAX_DEATHS,
  NEVER_TWICE,
  parkJob,
  pauseAfter,
  putBack,
  renewLease,
  takeJob,
} from './queue.ts'
import { needsMoreTime, outOfResources, type Pause, PutBack, type Turn, wholeTurn } from './turn.ts'

export type Runners = { [K in JobKind]: (payload: JobPayloads[K], turn: Turn) => Promise<void> }

export type WhenParked = { [K in JobKind]?: (payload: JobPayloads[K], reason: string) => Promise<void> }

interface Rules {
  kinds?: readonly JobKind[]
  whenParked?: WhenParked
  /** The lanes that this lane belongs to; without them, each job has all the time that it needs. */
  lanes?: Lanes
  stop?: AbortSignal
  log?: Pick<Log, 'info'>
}

const SETTLE_WITHIN_MS = 60_000
const SETTLE_PAUSE_MS = 500

const INTERRUPTED = 'A worker died while it did this; nobody knows how far it came.'

/** Kinds whose lane time is shared fairly. Mail is not: a sign-in code is equally urgent for every user. */
const SHARED: ReadonlySet<JobKind> = new Set(['zip', 'ingest'])

/** Runs the next job that is due. @returns whether there was one */
export async function runNextJob(db: Db, runners: Runners, rules: Rules = {}): Promise<boolean> {
  const { lanes, kinds } = rules
  if (!lanes) return runJob(db, runners, rules, await takeJob(db, { ...(kinds && { kinds }) }))
  const job = await lanes.take((wanted) => takeJob(db, { ...wanted, ...(kinds && { kinds }) }))
  try {
    return await runJob(db, runners, rules, job)
  } finally {
    if (job) lanes.leave(job.user_id)
  }
}

async function runJob(db: Db, runners: Runners, rules: Rules, job: Job | undefined): Promise<boolean> {
  if (!job) return false
  const { whenParked = {} } = rules
  if (job.interrupted && (NEVER_TWICE.includes(job.kind) || job.deaths >= MAX_DEATHS)) {
    await park(db, whenParked, job, INTERRUPTED)
    return true
  }
  const renewal = setInterval(() => void renewLease(db, job).catch(() => {}), (LEASE_SECONDS * 1000) / 3)
  const begun = performance.now()
  const isShared = SHARED.has(job.kind)
  const turn = rules.lanes?.turn(rules.stop) ?? wholeTurn()
  try {
    await traceTurn(job, () => perform(runners, job, turn))
  } catch (error) {
    const cause = turn.signal.aborted && !(error instanceof Undeliverable) ? interruptionOf(turn, rules.stop) : error
    await settle(() => handleFailure(db, whenParked, job, cause))
    noteTurn(rules.log, job, begun, cause instanceof PutBack ? 'put_back' : 'failed')
    if (isShared) await settle(() => chargeShare(db, job, secondsSince(begun)))
    return true
  } finally {
    clearInterval(renewal)
  }
  noteTurn(rules.log, job, begun, 'done')
  // If this fails, the job was done all the same: its lease expires as if the worker had died.
  await settle(() => (isShared ? finishAndCharge(db, job, secondsSince(begun)) : finishJob(db, job)))
  return true
}

function noteTurn(log: Rules['log'], { id: job, kind, payload }: Job, begun: number, outcome: string): void {
  const seconds = secondsSince(begun)
  record('job_duration_seconds', { kind, outcome }, seconds)
  log?.info({ request_id: payload.request_id, job, kind, outcome, ms: Math.round(seconds * 1000) }, 'a turn of a job')
}

const secondsSince = (begun: number) => (performance.now() - begun) / 1000

/** Records a result even if the database is away for a moment: otherwise the job would be repeated or given up. */
async function settle(note: () => Promise<void>): Promise<void> {
  for (const end = Date.now() + SETTLE_WITHIN_MS; ; await sleep(SETTLE_PAUSE_MS)) {
    try {
      return await note()
    } catch (error) {
      if (!isAway(error) || Date.now() > end) throw error
    }
  }
}

/** Each turn is a span of the trace of the request that caused the job. */
async function traceTurn({ id, kind, attempts, payload }: Job, work: () => Promise<void>): Promise<void> {
  const attributes = { 'strongroom.job': id, 'strongroom.attempt': attempts, ...requestOf(payload) }
  const span = beginSpan(`job ${kind}`, { kind: 'consumer', remote: payload.traceparent, attributes })
  try {
    await within(span, work)
    span?.end()
  } catch (error) {
    span?.end({}, error instanceof PutBack ? undefined : errorTypeOf(error))
    throw error
  }
}

const requestOf = ({ request_id }: Job['payload']) => (request_id ? { 'strongroom.request_id': request_id } : {})

function perform<K extends JobKind>(
  runners: Runners,
  job: { kind: K; payload: JobPayloads[K] },
  turn: Turn,
): Promise<void> {
  return runners[job.kind](job.payload, turn)
}

/** Why work failed after its turn was aborted. Does not apply to a mail that may have been delivered. */
const interruptionOf = ({ heavy }: Turn, stop: AbortSignal | undefined): PutBack =>
  stop?.aborted || heavy ? new PutBack('The worker stopped.') : needsMoreTime()

async function handleFailure(db: Db, whenParked: WhenParked, job: Job, error: unknown): Promise<void> {
  const reason = reasonOf(error)
  if (error instanceof PutBack || lacksResources(error)) {
    const { heavy = job.heavy, pause, isDeath } = error instanceof PutBack ? error : outOfResources(reason)
    const deaths = job.deaths + (isDeath ? 1 : 0)
    if (isDeath && deaths >= MAX_DEATHS) return park(db, whenParked, job, reason)
    await putBack(db, job, { heavy, pauseSeconds: pauseSecondsOf(pause, job), deaths, reason })
  } else if (error instanceof Undeliverable) await park(db, whenParked, job, reason)
  else if ((await failJob(db, job, reason)) === 'parked') await tellParked(whenParked, job, reason)
}

function pauseSecondsOf(pause: Pause, { attempts }: Job): number {
  if (pause === 'growing') return pauseAfter(Math.min(attempts, LONG_ENOUGH))
  return pause === 'short' ? pauseAfter(1) : 0
}

/** Limits pauses to about five minutes: resources are seldom exhausted longer, and people look at them meanwhile. */
const LONG_ENOUGH = 7

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
