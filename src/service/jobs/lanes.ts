import type { Job, Wanted } from './queue.ts'
import { PutBack, type Turn } from './turn.ts'

/** The lanes of one worker that run jobs of one kind side by side. */
export interface Lanes {
  count: number
  /** Takes a job with `take`, for a user who does not have the maximum number of lanes yet. */
  take(take: (wanted: Wanted) => Promise<Job | undefined>): Promise<Job | undefined>
  leave(userId: number): void
  turn(stop: AbortSignal | undefined): Turn
}

interface Options {
  count: number
  heavy?: boolean
  /** Jobs end a turn after this time, between two steps. */
  turnMs: number
  /** A step that takes longer than this is aborted. */
  abortMs?: number
}

/** The user id of jobs without a user: mails, and documents from before. */
const NOBODY = 0

/** One user never gets all lanes, so that another user's job finds a lane free now or soon. */
export function createLanes({ count, heavy = false, turnMs, abortMs }: Options): Lanes {
  const limit = Math.max(1, count - 1)
  const running = new Map<number, number>()
  let last: Promise<unknown> = Promise.resolve()

  async function takeNext(take: (wanted: Wanted) => Promise<Job | undefined>): Promise<Job | undefined> {
    const except = [...running].filter(([userId, jobs]) => userId !== NOBODY && jobs >= limit).map(([userId]) => userId)
    const job = await take({ heavy, except })
    if (job) running.set(job.user_id, (running.get(job.user_id) ?? 0) + 1)
    return job
  }

  return {
    count,
    take(take) {
      // Takes jobs one after the other: what one lane takes counts for the next.
      const taking = last.then(() => takeNext(take))
      last = taking.catch(() => {})
      return taking
    },
    leave(userId) {
      const left = (running.get(userId) ?? 0) - 1
      if (left > 0) running.set(userId, left)
      else running.delete(userId)
    },
    turn(stop) {
      const begun = performance.now()
      const signals = [stop, abortMs === undefined ? undefined : AbortSignal.timeout(abortMs)]
      return {
        heavy,
        signal: AbortSignal.any(signals.filter((signal) => signal !== undefined)),
        check(hasProgressed = true) {
          if (stop?.aborted) throw new PutBack('The worker stopped.')
          if (performance.now() - begun <= turnMs) return
          throw new PutBack('The turn of its user is over.', { pause: hasProgressed ? 'none' : 'short' })
        },
      }
    },
  }
}
