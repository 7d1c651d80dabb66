import { sql } from 'kysely'
import { listen } from './listen.ts'
import type { Db } from './pool.ts'

// A hint tells processes that there may be something new. It may get lost, so they also look by themselves.

/** What hints are about, and the longest pauses between two looks: while hints arrive, and while they do not. */
export interface Subject {
  channel: string
  hintedMs: number
  unhintedMs: number
}

/** Jobs, for workers. */
export const WORK: Subject = { channel: 'strongroom_work', hintedMs: 30_000, unhintedMs: 500 }
/** Acts in workspaces, for their followers. */
export const ACTS: Subject = { channel: 'strongroom_acts', hintedMs: 3500, unhintedMs: 1000 }

/** A process sends at most one hint in this time. A notification costs a commit, and much news needs few hints. */
const HINT_EVERY_MS = 500
/** Hints are not relied on for this long after the start, and after news was found that no hint had announced. */
const DISTRUST_MS = 60_000

export interface Hints {
  /** The number of hints so far. Whoever looks reads it first, so that a hint meanwhile is not missed. */
  count(): number
  /** Resolves once there are more hints than `seen`, at the latest after `ms` or the longest pause, or at `stop`. */
  after(seen: number, stop: AbortSignal, ms?: number): Promise<void>
  give(): void
  distrust(): void
}

/** @param areHeard whether hints of other processes arrive */
export function createHints({ hintedMs, unhintedMs }: Subject, areHeard: () => boolean = () => false): Hints {
  let count = 0
  const waiting = new Set<() => void>()
  let distrustedUntil = Date.now() + DISTRUST_MS
  const longest = () => (areHeard() && Date.now() >= distrustedUntil ? hintedMs : unhintedMs)

  return {
    count: () => count,
    async after(seen, stop, ms = Infinity) {
      if (count > seen || stop.aborted) return
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer)
          stop.removeEventListener('abort', end)
          waiting.delete(end)
          resolve()
        }
        const timer = setTimeout(end, Math.min(ms, longest()))
        stop.addEventListener('abort', end)
        waiting.add(end)
      })
    },
    give() {
      count++
      for (const end of waiting) end()
    },
    distrust: () => void (distrustedUntil = Date.now() + DISTRUST_MS),
  }
}

/** @param databaseUrl of a connection that keeps listening; without one, there are only the hints given here */
export function receiveHints(subject: Subject, databaseUrl: string | undefined): Hints & { close(): Promise<void> } {
  if (databaseUrl === undefined) return { ...createHints(subject), close: async () => {} }
  const hints = createHints(subject, () => listener.isOpen())
  const listener = listen(databaseUrl, subject.channel, hints.give)
  return { ...hints, close: listener.close }
}

/**
 * Returns a function that sends a hint, at once or in the next interval. It is called after the change was committed:
 * NOTIFY within a transaction would make the commits of all changes wait for each other.
 */
export const createHinter = (db: Db, { channel }: Subject): (() => void) =>
  atIntervals(() => void sql`notify ${sql.id(channel)}`.execute(db).catch(() => {}))

/** Returns a function that gives a hint at once, or later if the last one was given just before. */
export function atIntervals(give: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  let givenAt = -Infinity
  const giveNow = () => {
    timer = undefined
    givenAt = performance.now()
    give()
  }
  return () => void (timer ??= setTimeout(giveNow, Math.max(0, givenAt + HINT_EVERY_MS - performance.now())).unref())
}
