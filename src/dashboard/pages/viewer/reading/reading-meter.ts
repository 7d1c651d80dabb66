/** Without input for so long, nobody is taken to read on. */
export const IDLE_MS = 60_000

export interface PageTime {
  page_number: number
  ms: number
}

/** Measures how long each page was in view while the window was in use. `now` gives milliseconds that only grow. */
export function createReadingMeter(now: () => number) {
  const times = new Map<number, number>()
  let page: number | undefined
  let isUsed = false
  let [counted, input] = [now(), now()]
  const count = () => {
    const at = now()
    const spent = Math.min(at, input + IDLE_MS) - counted
    if (isUsed && page !== undefined && spent > 0) times.set(page, (times.get(page) ?? 0) + spent)
    counted = at
  }
  return {
    turnTo(to: number) {
      count()
      page = to
    },
    /** The window is visible and has the focus, or not. */
    use(used: boolean) {
      count()
      if (used && !isUsed) input = now()
      isUsed = used
    },
    noteInput() {
      count()
      input = now()
    },
    /** What was measured since the last call, in whole milliseconds. */
    take(): PageTime[] {
      count()
      const taken = [...times].map(([page_number, ms]) => ({ page_number, ms: Math.round(ms) }))
      times.clear()
      return taken.filter(({ ms }) => ms > 0)
    },
  }
}

export type ReadingMeter = ReturnType<typeof createReadingMeter>
