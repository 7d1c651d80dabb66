import type { EngagementReport } from '../../../store/engagement/engagement-report.ts'
import { HAIRLINE, type Pages } from '../pages.ts'
import { LINE, widthOf, write, writeNumber } from './fit-text.ts'
import type { Words } from './words.ts'

const [TITLE, SMALLER_TITLE, LONG] = [22, 16, 60]
const SIZE = 8.5
const FIGURE = 18
const DAY_MS = 86_400_000

export interface Origin {
  /** The name of the room. */
  title: string
  /** The name of the person who asked. */
  madeBy: string
  period: { from: string; to: string }
  timeZone: string
  /** When it was read. */
  at: string
}

/** What the report is about, and the figures of the whole room. */
export function writeFirstPage(pages: Pages, origin: Origin, report: EngagementReport, words: Words): void {
  write(pages, words.kind, { x: 0, baseline: pages.y + 9, width: pages.width, size: 9, isMuted: true })
  pages.y += 16
  const size = origin.title.length > LONG ? SMALLER_TITLE : TITLE
  const title = { x: 0, baseline: pages.y + size, width: pages.width, size, look: 'bold', lines: 3 } as const
  pages.y += write(pages, origin.title, title) * size * LINE + 8
  writeOrigin(pages, origin, report, words)
  writeFigures(pages, report, words)
}

function writeOrigin(
  pages: Pages,
  { madeBy, period, timeZone, at }: Origin,
  report: EngagementReport,
  words: Words,
): void {
  const { from, to } = period
  const days = words.days(...words.counted((Date.parse(to) - Date.parse(from)) / DAY_MS + 1))
  const facts = [
    [words.period, `${words.date(from)} – ${words.date(to)} · ${days}`],
    [words.times, timeZone],
    [words.madeBy, `${madeBy} · ${words.time(at)}`],
    [words.shows, words.everything(words.number(report.all_groups), words.number(report.all_files))],
  ] as const
  for (const [label, text] of facts) {
    const baseline = pages.y + SIZE
    write(pages, label, { x: 0, baseline, width: 70, size: SIZE, isMuted: true })
    write(pages, text, { x: 78, baseline, width: pages.width - 78, size: SIZE })
    pages.y += 14
  }
}

function writeFigures(pages: Pages, { totals }: EngagementReport, words: Words): void {
  const { number, of } = words
  const figures = [
    [words.reading, words.duration(totals.ms), ''],
    [words.readers, number(totals.readers), `${of} ${number(totals.people)}`],
    [words.opened, number(totals.viewable - totals.unread), `${of} ${number(totals.viewable)}`],
    [words.views, number(totals.views), ''],
    [words.downloads, number(totals.downloads), ''],
  ] as const
  pages.y += 14
  pages.box({ x: 0, y: pages.y, width: pages.width, height: 0.8 }, HAIRLINE)
  const width = pages.width / figures.length
  for (const [at, [label, figure, rest]] of figures.entries()) {
    const place = { x: at * width, width: width - 8 }
    const baseline = pages.y + 28
    const restWidth = rest === '' ? 0 : widthOf(rest, { size: SIZE }) + 4
    const used = Math.min(widthOf(figure, { size: FIGURE, look: 'bold' }), place.width - restWidth)
    writeNumber(pages, figure, { ...place, width: used, baseline, size: FIGURE, look: 'bold' })
    if (rest !== '')
      writeNumber(pages, rest, { x: place.x + used + 4, width: restWidth, baseline, size: SIZE, isMuted: true })
    write(pages, label, { ...place, baseline: baseline + 14, size: 7.5, isMuted: true })
  }
  pages.y += 50
  pages.box({ x: 0, y: pages.y, width: pages.width, height: 0.8 }, HAIRLINE)
}
