import type { Rate } from '../rate.ts'

/** Above this many names at once those unused for longest are forgotten, which gives them a whole budget again. */
const MAX_NAMES = 100_000

export interface Budget {
  /** Events that may still happen at once. */
  remaining: number
  /** Milliseconds until the budget is whole again. */
  wholeInMs: number
  /** Milliseconds to wait before the next event; 0 while there is something left. */
  waitMs: number
}

export interface RateLimit {
  /** What is left, nothing taken. */
  look(name: string): Budget
  /** Takes one event, unless nothing is left: then `waitMs` says how long to wait, and nothing is taken. */
  take(name: string): Budget
}

/**
 * A bucket for each name that holds `burst` events and fills up at the rate; in memory, so each node has its own. What is
 * kept is the moment at which the bucket will be full.
 */
export function createRateLimit({ count, periodMs, burst }: Rate, clock: () => Date, maxNames = MAX_NAMES): RateLimit {
  const each = periodMs / count
  const fullAt = new Map<string, number>()

  /** Milliseconds until full; never more than from empty, whatever the clock did. */
  const lackOf = (name: string, now: number) => Math.min(Math.max((fullAt.get(name) ?? 0) - now, 0), burst * each)

  function budgetOf(lackMs: number): Budget {
    // Sums of fractions of milliseconds may miss a whole event by a hair.
    const left = burst - lackMs / each + 1e-6
    return {
      remaining: Math.floor(left),
      wholeInMs: lackMs,
      waitMs: left >= 1 ? 0 : (1 - left) * each,
    }
  }

  function forget(now: number): void {
    for (const [name, time] of fullAt) {
      if (time > now && fullAt.size <= maxNames) return
      fullAt.delete(name)
    }
  }

  return {
    look: (name) => budgetOf(lackOf(name, clock().getTime())),
    take(name) {
      const now = clock().getTime()
      const lack = lackOf(name, now)
      const before = budgetOf(lack)
      if (before.waitMs > 0) return before
      // Inserted anew: the order is that of the last use.
      fullAt.delete(name)
      fullAt.set(name, now + lack + each)
      forget(now)
      return { ...budgetOf(lack + each), waitMs: 0 }
    },
  }
}
