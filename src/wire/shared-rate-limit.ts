import { createRateLimit, type Rate, type RateLimit } from './rate-limit.ts'
import type { Siblings } from './siblings.ts'

/** What others took from buckets, or how much their buckets lack, in milliseconds. */
interface News {
  taken?: [name: string, count: number][]
  lacks?: [name: string, ms: number][]
}

const TELL_EVERY = 10
/** A process that has just joined hears of so many buckets at most, the most recently used ones. */
const MOST_GREETINGS = 10_000

/**
 * A rate limit that holds for all processes together. Each decides by itself and tells the others at once. What several
 * processes take in the same few milliseconds may exceed a bucket, but it is owed, so the rate itself holds.
 */
export function createSharedRateLimit(topic: string, rate: Rate, clock: () => Date, siblings: Siblings): RateLimit {
  const limit = createRateLimit(rate, clock, undefined, true)
  let taken = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let toldAt = -Infinity

  const share = siblings.share<News>(topic, {
    hear(news) {
      for (const [name, count] of news.taken ?? []) limit.owe(name, count)
      for (const [name, ms] of news.lacks ?? []) limit.raise(name, ms)
    },
    greet: () => ({ lacks: limit.lacks().slice(-MOST_GREETINGS) }),
  })

  function tell(): void {
    timer = undefined
    toldAt = performance.now()
    share({ taken: [...taken] })
    taken = new Map()
  }

  return {
    look: limit.look,
    take(name) {
      const budget = limit.take(name)
      if (budget.waitMs > 0 || siblings.count() === 1) return budget
      taken.set(name, (taken.get(name) ?? 0) + 1)
      timer ??= setTimeout(tell, Math.max(0, toldAt + TELL_EVERY - performance.now())).unref()
      return budget
    },
  }
}
