import type { Db } from '../db/pool.ts'
import { type QueueHealth, readChainDelay, readQueueHealth } from '../store/health/queue-health.ts'
import { count, type Finding, findingsOf } from './finding.ts'

/** Seconds after which a due job, or an entry of the audit trail, should have been taken by a worker. */
const PATIENCE = 120

const found = findingsOf('queue')

export async function checkQueue(db: Db): Promise<Finding[]> {
  const [kinds, delay] = [await readQueueHealth(db), await readChainDelay(db)]
  const findings = [...kinds.flatMap(parkedOf), ...kinds.flatMap(overdueOf), ...chainOf(delay)]
  const waiting = kinds.reduce((sum, each) => sum + each.waiting, 0)
  return findings.length > 0 ? findings : [found.ok(`${count(waiting, 'job')} waiting, none of them late.`)]
}

function parkedOf({ kind, parked }: QueueHealth): Finding[] {
  if (parked === 0) return []
  const message = `${count(parked, 'job')} of kind ${kind} failed in every attempt.`
  return [
    found.warning(
      message,
      'Read the column error of their rows in the table jobs. Jobs run again with attempts = 0 and parked_at = null.',
    ),
  ]
}

function overdueOf({ kind, overdue }: QueueHealth): Finding[] {
  if (overdue < PATIENCE) return []
  const message = `A job of kind ${kind} has been due for ${minutes(overdue)}.`
  return [
    found.warning(
      message,
      'Start a worker that runs this kind (WORKER_KINDS), or more of them if the queue keeps growing.',
    ),
  ]
}

function chainOf(delay: number): Finding[] {
  if (delay < PATIENCE) return []
  const message = `Entries of the audit trail have waited for ${minutes(delay)} to be chained.`
  return [found.warning(message, 'Start a worker. If one runs, its log says what stops it.')]
}

const minutes = (seconds: number) => count(Math.floor(seconds / 60), 'minute')
