/** `count` per period, and at most `burst` at once. */
export interface Rate {
  count: number
  periodMs: number
  burst: number
}

/** Above this many names the least recently used are forgotten, which gives them a full budget again. */
const MAX_NAMES = 100_000

export interface Budget {
  /** Events still allowed right now. */
  remaining: number
  /** Milliseconds until the budget is full again. */
  wholeInMs: number
  /** Milliseconds to wait before the next event; 0 while events are left. */
  waitMs: number
}

export interface RateLimit {
  look(name: string): Budget
  /** Takes one event. If none is left, takes nothing, and `waitMs` says how long to wait. */
  take(name: string): Budget
}

interface ToldRateLimit extends RateLimit {
  /** Counts events that were taken elsewhere, even if none were left. */
  owe(name: string, count: number): void
  raise(name: string, lackMs: number): void
  /** Milliseconds until each bucket is full, the least recently used one first. */
  lacks(): [name: string, ms: number][]
}

/**
 * One bucket for each name, which holds `burst` events and refills at the rate. Buckets are in memory, so each process has
 * its own. A bucket is stored as the time at which it will be full.
 * @param mayOwe whether a bucket may lack up to twice its size
 */
export function createRateLimit(
  { count, periodMs, burst }: Rate,
  clock: () => Date,
  maxNames = MAX_NAMES,
  mayOwe = false,
): ToldRateLimit {
  const each = periodMs / count
  const most = burst * each * (mayOwe ? 2 : 1)
  const fullAt = new Map<string, number>()

  /** Milliseconds until full; at most the time from empty, even after a clock change. */
  const lackOf = (name: string, now: number) => Math.min(Math.max((fullAt.get(name) ?? 0) - now, 0), most)

  function budgetOf(lackMs: number): Budget {
    // Adding fractions of milliseconds may miss a whole event by a rounding error.
    const left = burst - lackMs / each + 1e-6
    return {
      remaining: Math.max(Math.floor(left), 0),
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

  /** Reinserts the bucket, so that the map stays in order of last use. */
  function put(name: string, lackMs: number, now: number): void {
    fullAt.delete(name)
    fullAt.set(name, now + Math.min(lackMs, most))
    forget(now)
  }

  return {
    look: (name) => budgetOf(lackOf(name, clock().getTime())),
    take(name) {
      const now = clock().getTime()
      const lack = lackOf(name, now)
      const before = budgetOf(lack)
      if (before.waitMs > 0) return before
      put(name, lack + each, now)
      return { ...budgetOf(lack + each), waitMs: 0 }
    },
    owe(name, events) {
      const now = clock().getTime()
      put(name, lackOf(name, now) + events * each, now)
    },
    raise(name, lackMs) {
      const now = clock().getTime()
      put(name, Math.max(lackOf(name, now), lackMs), now)
    },
    lacks() {
      const now = clock().getTime()
      return [...fullAt.keys()].flatMap((name): [string, number][] => {
        const ms = lackOf(name, now)
        return ms > 0 ? [[name, ms]] : []
      })
    },
  }
}
