import type { Page } from 'playwright'
import { percentile } from './report.ts'

export interface Frames {
  /** Milliseconds between two frames. */
  p95: number
  perSecond: number
  longTasks: number
  /** Processor time of the page's main thread for each frame, in milliseconds: not affected by a busy machine. */
  work: number
}

interface Scroll {
  selector: string
  /** Pixels from one frame to the next; 0 measures the machine without scrolling. */
  step: number
  seconds: number
}

/** Scrolls by `step` on every frame and turns around at each end. */
export async function scrollThrough(page: Page, { selector, step, seconds }: Scroll): Promise<Frames> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Performance.enable', { timeDomain: 'threadTicks' })
  const worked = async () => {
    const { metrics } = await browser.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  const before = await worked()
  const { times, longTasks } = await page.evaluate(scroll, { selector, step, seconds })
  const work = ((await worked()) - before) / times.length
  await browser.detach()
  const all = times.reduce((sum, time) => sum + time, 0)
  return { p95: percentile(times, 95), perSecond: times.length / (all / 1000), longTasks, work }
}

/** Runs in the page. */
async function scroll({ selector, step, seconds }: Scroll): Promise<{ times: number[]; longTasks: number }> {
  const surface = document.querySelector(selector)
  if (!surface) throw new Error(`The page has no ${selector}.`)
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(() => resolve(performance.now())))
  const times: number[] = []
  let by = step
  let last = await frame()
  const tasksBefore = window.notes.longTasks.length
  const end = last + seconds * 1000
  while (last < end) {
    const before = surface.scrollTop
    surface.scrollTop += by
    if (by !== 0 && surface.scrollTop === before) by = -by
    const now = await frame()
    times.push(now - last)
    last = now
  }
  // The observer reports with a short delay.
  await new Promise((resolve) => setTimeout(resolve, 200))
  return { times, longTasks: window.notes.longTasks.length - tasksBefore }
}

/** Returns the size of the page's live objects, in MiB. */
export async function heapOf(page: Page): Promise<number> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('HeapProfiler.collectGarbage')
  const { usedSize } = await browser.send('Runtime.getHeapUsage')
  await browser.detach()
  return usedSize / 1024 ** 2
}
