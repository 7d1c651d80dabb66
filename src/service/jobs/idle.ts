import { createHints, type Hints, WORK } from '../db/hints.ts'
import type { Db } from '../db/pool.ts'
import { JOB_KINDS, type JobKind, msUntilDue } from './queue.ts'

/** A lane that could not take a due job looks again after this long. */
const LOOK_MS = 500

/**
 * Lets the idle lanes of a worker wait: after a hint, at the due time of the next job, and at intervals, one of them
 * looks for due jobs, and all continue when there is one, of whichever of these kinds. `seen` is the number of hints before the lane
 * looked for a job.
 */
export function createIdling(
  db: Db,
  hints: Hints = createHints(WORK),
  kinds: readonly JobKind[] = JOB_KINDS,
): (stop: AbortSignal, seen?: number) => Promise<void> {
  let looking: Promise<{ inMs: number; seen: number }> | undefined
  const look = () => (looking ??= lookNow(db, hints, kinds).finally(() => (looking = undefined)))

  return async (stop, seen = hints.count()) => {
    let [known, pause] = [seen, LOOK_MS]
    for (;;) {
      await hints.after(known, stop, pause)
      if (stop.aborted) return
      const isHinted = hints.count() > known
      const next = await look()
      if (next.inMs <= 0) {
        if (!isHinted) hints.distrust()
        return
      }
      known = next.seen
      pause = next.inMs
    }
  }
}

async function lookNow(db: Db, hints: Hints, kinds: readonly JobKind[]) {
  const seen = hints.count()
  return { seen, inMs: await msUntilDue(db, kinds) }
}
