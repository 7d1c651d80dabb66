export { placeOf } from '../wire/place-of.ts'

/** Above this many names at once the oldest are forgotten: memory stays bounded whoever calls. */
const MAX_NAMES = 100_000

export interface RateLimit {
  /** Counts one event; gives the seconds to wait when it is one too many, otherwise undefined. */
  hit(name: string): number | undefined
}

interface Window {
  count: number
  ends: number
}

/** So many events of one name in a window that begins with the first. */
export function createRateLimit(allowed: number, windowMs: number, clock: () => Date): RateLimit {
  const windows = new Map<string, Window>()

  /** All windows are equally long: the order of insertion is that of their ends. */
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
