/** Notes that a page takes about itself while it is measured. */
export interface Notes {
  /** Milliseconds until the next frame, by interaction id; only interactions of 16 ms or more. */
  interactions: Record<number, number>
  /** Interactions of more than 50 ms: the event, its times and its target. */
  slow: string[]
  /** Durations of tasks of 50 ms or more, in milliseconds. */
  longTasks: number[]
  /** When the first row of a grid was painted, in milliseconds since the navigation began. */
  firstRow: number | undefined
  /** Layout shift that no press caused: the largest session, as for CLS. */
  shift: number
}

declare global {
  interface Window {
    notes: Notes
    /** When the element of `noteWhenShown` was painted, in milliseconds since the navigation began. */
    shownAt?: number
  }
}

/** Runs in the page before its own scripts. */
export function observe(): void {
  const notes: Notes = { interactions: {}, slow: [], longTasks: [], firstRow: undefined, shift: 0 }
  window.notes = notes
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceEventTiming[]) {
      const { interactionId } = entry as unknown as { interactionId: number }
      if (interactionId === 0 || entry.duration <= (notes.interactions[interactionId] ?? 0)) continue
      notes.interactions[interactionId] = entry.duration
      const label = entry.target instanceof Element ? entry.target.outerHTML.slice(0, 80) : ''
      const waited = Math.round(entry.processingStart - entry.startTime)
      const worked = Math.round(entry.processingEnd - entry.processingStart)
      if (entry.duration > 50)
        notes.slow.push(`${entry.duration} ms (waited ${waited}, worked ${worked}): ${entry.name} on ${label}`)
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) notes.longTasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })
  let [session, begun, latest] = [0, 0, 0]
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
      if (entry.hadRecentInput) continue
      const goesOn = entry.startTime - latest < 1000 && entry.startTime - begun < 5000
      if (!goesOn) [session, begun] = [0, entry.startTime]
      latest = entry.startTime
      session += entry.value
      notes.shift = Math.max(notes.shift, session)
    }
  }).observe({ type: 'layout-shift', buffered: true })
  const watch = new MutationObserver(() => {
    if (!document.querySelector('[role="grid"] [role="row"][aria-rowindex="2"]')) return
    watch.disconnect()
    // The frame after the next begins once the rows have been painted.
    requestAnimationFrame(() => requestAnimationFrame(() => (notes.firstRow = performance.now())))
  })
  watch.observe(document, { childList: true, subtree: true })
}

/** Runs in the page before its own scripts: notes when an element is painted, after which the next frame begins. */
export function noteWhenShown(sign: string): void {
  const watch = new MutationObserver(() => {
    if (!document.querySelector(sign)) return
    watch.disconnect()
    requestAnimationFrame(() => (window.shownAt = performance.now()))
  })
  watch.observe(document, { childList: true, subtree: true })
}
