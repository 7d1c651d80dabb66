import { readFile } from 'node:fs/promises'
import type { EngagementReport } from '../../../store/engagement/engagement-report.ts'
import { type PageForm, PORTRAIT, textWidth } from '../blocks.ts'
import type { Line } from '../break-lines.ts'
import { type Footer, openPages } from '../pages.ts'
import { type Origin, writeFirstPage } from './first-page.ts'
import { fitLines } from './fit-text.ts'
import { plotDays } from './plot-days.ts'
import { drawDocuments, drawGroups, drawPeople, drawUnread } from './sections.ts'
import { type Language, type Words, wordsIn } from './words.ts'

export interface ReportTask extends Origin {
  /** A file with the `EngagementReport` as JSON. */
  source: string
  target: string
  language: Language
}

/** The lists are bounded, so that there are never more. */
const MAX_PAGES = 40
const FORM: PageForm = PORTRAIT

/** Sets a report of the engagement as a PDF. */
export async function setReport({ source, target, language, ...origin }: ReportTask): Promise<void> {
  const report = JSON.parse(await readFile(source, 'utf8')) as EngagementReport
  const words = wordsIn(language, origin.timeZone)
  const pages = openPages(target, FORM, MAX_PAGES, footerOf(origin, words))
  try {
    writeFirstPage(pages, origin, report, words)
    plotDays(pages, report.totals.days, origin.period, words)
    drawGroups(pages, report, words)
    drawDocuments(pages, report, words)
    drawPeople(pages, report, words)
    drawUnread(pages, report, words)
    pages.finish()
  } finally {
    pages.close()
  }
}

const NO_LINE: Line = { runs: [], width: 0, isRtl: false }
const RIGHT = 190

/** Names the room and the time on every page. */
function footerOf({ title, at }: Origin, words: Words): Footer {
  const fit = (text: string, width: number) => fitLines(text, { width, size: 7.5, isMuted: true })[0] ?? NO_LINE
  const room = fit(title, textWidth(FORM) - RIGHT - 10)
  const { number } = words
  return (page, of) => [room, fit(`${words.time(at)} · ${words.page(number(page), number(of))}`, RIGHT)]
}
