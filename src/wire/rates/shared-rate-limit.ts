import { hash } from 'node:crypto'
import { createRateLimit, type Rate, type RateLimit } from './rate-limit.ts'
import type { RateStore } from './rate-store.ts'
import type { Siblings } from '../siblings.ts'

/** What others took from buckets, or how much their buckets lack, in milliseconds. */
interface News {
  taken?: [name: string, count: number][]
  lacks?: [name: string, ms: number][]
}

const TELL_EVERY = 10
const SETTLE_EVERY = 50
/** A process that has just joined hears of so many buckets at most, the most recently used ones. */
const MOST_GREETINGS = 10_000
/** Buckets that wait to be settled; beyond this, while the store does not answer, each process counts for itself. */
const MOST_UNSETTLED = 10_000

/** How limits hold for several processes: of one machine by their supervisor, of several machines by a store. */
export interface Sharing {
  siblings: Siblings
  rateStore: RateStore | undefined
}

/**
 * A rate limit that holds for all processes together. Each decides by itself and tells the others at once. What several
 * processes take in the same few milliseconds may exceed a bucket, but it is owed, so the rate itself holds. While the
 * store is away, each node keeps the limit for itself: an outage neither locks users out nor lifts the limit.
 */
export function createSharedRateLimit(
  topic: string,
  rate: Rate,
  clock: () => Date,
  { siblings, rateStore }: Sharing,
): RateLimit {
  const limit = createRateLimit(rate, clock, undefined, true)
  const share = siblings.share<News>(topic, {
    hear(news) {
      for (const [name, count] of news.taken ?? []) limit.owe(name, count)
      for (const [name, ms] of news.lacks ?? []) limit.raise(name, ms)
    },
    greet: () => ({ lacks: limit.lacks().slice(-MOST_GREETINGS) }),
  })
  const tell = gather(TELL_EVERY, async (taken) => share({ taken }))
  const each = rate.periodMs / rate.count
  const mostMs = 2 * rate.burst * each
  const settle = gather(SETTLE_EVERY, async (taken) => {
    // Names hold keys and addresses, which the store need not know.
    const buckets = taken.map(([name, count]) => ({
      name: hash('sha256', `${topic} ${name}`),
      ms: count * each,
      mostMs,
    }))
    const lacks = await rateStore?.settle(buckets).catch(() => undefined)
    lacks?.forEach((ms, at) => limit.raise(taken[at]![0], ms))
  })

  return {
    look: limit.look,
    take(name) {
      const budget = limit.take(name)
      if (budget.waitMs > 0) return budget
      if (siblings.count() > 1) tell(name)
      if (rateStore) settle(name)
      return budget
    },
  }
}

/** Returns a function that counts names, and hands the counts over at once or in the next interval, one call at a time. */
function gather(everyMs: number, handOver: (taken: [name: string, count: number][]) => Promise<void>) {
  let taken = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let givenAt = -Infinity

  async function give(): Promise<void> {
    givenAt = performance.now()
    const given = [...taken]
    taken = new Map()
    await handOver(given)
    timer = undefined
    if (taken.size > 0) plan()
  }

  function plan(): void {
    timer = setTimeout(() => void give(), Math.max(0, givenAt + everyMs - performance.now())).unref()
  }

  return (name: string): void => {
    if (taken.size >= MOST_UNSETTLED && !taken.has(name)) return
    taken.set(name, (taken.get(name) ?? 0) + 1)
    if (!timer) plan()
  }
}
