import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db/pool.ts'
import { hasDueJob } from './queue.ts'

const LOOK_MS = 500

/**
 * Lets the idle lanes of a worker wait together: one of them looks for due jobs, and all continue when there is one, of
 * whatever kind. @returns a function that waits until there is a due job or `stop` aborts
 */
export function createIdling(db: Db): (stop: AbortSignal) => Promise<void> {
  let waiting: Promise<void> | undefined
  return (stop) => (waiting ??= untilDue(db, stop).finally(() => (waiting = undefined)))
}

async function untilDue(db: Db, stop: AbortSignal): Promise<void> {
  do {
    await sleep(LOOK_MS, undefined, { signal: stop }).catch(() => {})
  } while (!stop.aborted && !(await hasDueJob(db)))
}
