import type { Db } from '../db/pool.ts'
import { type QueueHealth, readChainDelay, readQueueHealth } from '../store/health/queue-health.ts'
import { type Finding, finding } from './finding.ts'

/** Seconds after which a due job, or an entry of the audit trail, should have been taken by a worker. */
const PATIENCE = 120

export async function checkQueue(db: Db): Promise<Finding[]> {
  const [kinds, delay] = [await readQueueHealth(db), await readChainDelay(db)]
  const findings = [...kinds.flatMap(parkedOf), ...kinds.flatMap(overdueOf), ...chainOf(delay)]
  const waiting = kinds.reduce((sum, each) => sum + each.waiting, 0)
  return findings.length > 0 ? findings : [finding('queue_in_time', { jobs: waiting })]
}

function parkedOf({ kind, parked }: QueueHealth): Finding[] {
  return parked === 0 ? [] : [finding('jobs_failed', { jobs: parked, kind })]
}

function overdueOf({ kind, overdue }: QueueHealth): Finding[] {
  return overdue < PATIENCE ? [] : [finding('job_overdue', { kind, minutes: minutesOf(overdue) })]
}

function chainOf(delay: number): Finding[] {
  return delay < PATIENCE ? [] : [finding('chain_late', { minutes: minutesOf(delay) })]
}

const minutesOf = (seconds: number) => Math.floor(seconds / 60)
