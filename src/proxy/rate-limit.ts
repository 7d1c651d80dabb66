export { placeOf } from '../wire/place-of.ts'

/** Above this many names the oldest are forgotten, so that memory stays bounded. */
const MAX_NAMES = 100_000

export interface RateLimit {
  /** Counts one event. @returns the seconds to wait if it is over the limit, otherwise undefined */
  hit(name: string): number | undefined
}

interface Window {
  count: number
  ends: number
}

/** Allows a number of events per name in a window that begins with the first event. */
export function createRateLimit(allowed: number, windowMs: number, clock: () => Date): RateLimit {
  const windows = new Map<string, Window>()

  /** All windows are equally long, so insertion order is the order of their ends. */
  function forgetOld(now: number): void {
    for (const [name, { ends }] of windows) {
      if (ends > now && windows.size <= MAX_NAMES) return
      windows.delete(name)
    }
  }

  return {
    hit(name) {
      const now = clock().getTime()
      forgetOld(now)
      const window = windows.get(name) ?? { count: 0, ends: now + windowMs }
      window.count += 1
      windows.set(name, window)
      return window.count > allowed ? Math.ceil((window.ends - now) / 1000) : undefined
    },
  }
}
