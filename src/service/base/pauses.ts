const LOOK_MS = 250
/** A look is later than this only if the process was stopped or its event loop was busy. */
const PAUSE_MS = 1000
/** What arrived during a pause is read within this time after it. */
const BACKLOG_MS = 2000

/** Notices when the process did not run for a while. Requests wait for it in the kernel meanwhile. */
export interface Pauses {
  /** The earliest moment, by `performance.now()`, at which a request that is read now may have reached this machine. */
  earliestArrival(): number
  close(): void
}

export function watchPauses(clock = () => performance.now()): Pauses {
  let looked = clock()
  let pause = { from: -Infinity, until: -Infinity }
  const isBacklog = (now: number) => now - pause.until < BACKLOG_MS
  const look = () => {
    const now = clock()
    if (now - looked > PAUSE_MS) pause = { from: isBacklog(looked) ? pause.from : looked, until: now }
    looked = now
    return now
  }
  const timer = setInterval(look, LOOK_MS).unref()
  return {
    earliestArrival() {
      const now = look()
      return isBacklog(now) ? pause.from : now
    },
    close: () => clearInterval(timer),
  }
}
