import { HAIRLINE, type Pages } from '../pages.ts'
import { fitLines, write } from './fit-text.ts'
import { INK, PAPER } from './plots.ts'
import { writeHeading } from './table.ts'
import type { Words } from './words.ts'

interface Bar {
  day: string
  ms: number
}

interface Period {
  from: string
  to: string
}

const DAY_MS = 86_400_000
/** Longer periods have a bar for each seven days. */
const MOST_BARS = 92
const HEIGHT = 96
const LEFT = 44
const SIZE = 7
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]
/** Distances of lines whose times are not rounded. */
const STEPS = [
  ...[1, 2, 5, 10, 15].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 4, 6, 12, 24, 48, 100, 200, 500, 1000, 2000, 5000, 10_000].map((count) => count * HOUR),
]
const MOST_LINES = 4

/** Draws the reading time of each day of the period, or of each week of a long one. */
export function plotDays(pages: Pages, days: readonly Bar[], period: Period, words: Words): void {
  const { bars, isByWeek } = barsOf(days, period)
  writeHeading(pages, isByWeek ? words.perWeek : words.perDay, { with: HEIGHT + 30 })
  const most = Math.max(...bars.map(({ ms }) => ms))
  if (most === 0) {
    write(pages, words.noReading, { x: 0, baseline: pages.y + 12, width: pages.width, size: 8.5, isMuted: true })
    pages.y += 18
    return
  }
  const step = STEPS.find((each) => each * MOST_LINES >= most) ?? most
  const top = Math.ceil(most / step) * step
  pages.y += 12
  const bottom = pages.y + HEIGHT
  const yOf = (ms: number) => bottom - (ms / top) * HEIGHT
  for (let ms = 0; ms <= top; ms += step) {
    pages.box({ x: LEFT, y: yOf(ms) - 0.25, width: pages.width - LEFT, height: 0.5 }, HAIRLINE)
    const label = ms === 0 ? '0' : words.duration(ms)
    write(pages, label, { x: 0, baseline: yOf(ms) + 2.5, width: LEFT - 6, size: SIZE, isMuted: true, isRight: true })
  }
  const slot = (pages.width - LEFT) / bars.length
  const width = Math.min(26, slot * 0.7)
  for (const [at, { ms }] of bars.entries()) {
    if (ms > 0)
      pages.box(
        {
          x: LEFT + at * slot + (slot - width) / 2,
          y: Math.min(yOf(ms), bottom - 0.75),
          width,
          height: bottom - Math.min(yOf(ms), bottom - 0.75),
        },
        INK,
      )
  }
  labelBars(pages, bars, { slot, bottom, yOf }, words)
  pages.y = bottom + 16
}

interface Scale {
  slot: number
  bottom: number
  yOf: (ms: number) => number
}

/** Days stand below as many bars as have room, and times above all of them if each has room. */
function labelBars(pages: Pages, bars: readonly Bar[], { slot, bottom, yOf }: Scale, words: Words): void {
  const every = Math.max(1, Math.ceil(34 / slot))
  for (const [at, { day, ms }] of bars.entries()) {
    const place = { x: LEFT + at * slot - 20, width: slot + 40, size: SIZE }
    if (at % every === 0) writeMiddle(pages, words.shortDate(day), { ...place, baseline: bottom + 10, isMuted: true })
    if (slot >= 30 && ms > 0) writeMiddle(pages, words.duration(ms), { ...place, baseline: yOf(ms) - 3 })
  }
}

function writeMiddle(pages: Pages, text: string, place: Parameters<typeof write>[2]): void {
  const [line] = fitLines(text, place)
  if (!line) return
  const { x, width, baseline, size } = place
  // Lines of the scale end beside the text.
  pages.box(
    { x: x + (width - line.width) / 2 - 1.5, y: baseline - size, width: line.width + 3, height: size + 1.5 },
    PAPER,
  )
  write(pages, text, { ...place, x: place.x + (place.width - line.width) / 2, width: line.width + 1 })
}

function barsOf(days: readonly Bar[], { from, to }: Period): { bars: Bar[]; isByWeek: boolean } {
  const start = Date.parse(from)
  const count = Math.round((Date.parse(to) - start) / DAY_MS) + 1
  const isByWeek = count > MOST_BARS
  const length = isByWeek ? 7 : 1
  // Weeks end with the period: the first one may be short, and the last one is whole.
  const first = start - ((length - (count % length)) % length) * DAY_MS
  const bars = Array.from({ length: Math.ceil(count / length) }, (_, at) => ({
    day: new Date(Math.max(start, first + at * length * DAY_MS)).toISOString().slice(0, 10),
    ms: 0,
  }))
  for (const { day, ms } of days) {
    const bar = bars[Math.floor((Date.parse(day) - first) / DAY_MS / length)]
    if (bar) bar.ms += ms
  }
  return { bars, isByWeek }
}
