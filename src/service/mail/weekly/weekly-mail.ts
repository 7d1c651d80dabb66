import { shortDuration } from '../../../contract/engagement/short-duration.ts'
import type { Language } from '../../../contract/endpoints/deal/notifications.ts'
import type { Mail } from '../../../mail/transport.ts'
import type { Named } from '../../store/news/to-do.ts'
import type { WeeklyReport } from '../../store/notifications/weekly-report.ts'
import type { MailLook } from '../look/mail-styles.ts'
import { endedBy, type Links } from '../mail-members.ts'
import { withoutLinks } from '../without-links.ts'
import { weeklyPageOf } from './weekly-page.ts'
import { engagementOf, type Section, sectionsOf } from './weekly-sections.ts'
import { WEEKLY_WORDS } from './weekly-words.ts'

interface Reader {
  email: string
  language: Language
  /** Members other than the reader who came in for the first time. */
  arrived: Named
}

/** What a mail says, before it is text or HTML. */
export interface Letter {
  language: Language
  room: string
  kind: string
  days: string
  figures: { label: string; value: string }[]
  unused: string
  sections: Section[]
  open: { text: string; url: string }
  notes: string[]
  ways: { text: string; url: string }[]
}

/** A weekly report as text and HTML; names are never links, markup or headers. */
export function writeWeeklyReport(
  report: WeeklyReport,
  { email, language, arrived }: Reader,
  links: Links,
  looks?: MailLook,
): Mail {
  const words = WEEKLY_WORDS[language]
  const { from, to } = report.period
  const range = new Intl.DateTimeFormat(words.locale, { dateStyle: 'long', timeZone: 'UTC' })
  const days = range.formatRange(new Date(from), new Date(to)).replace(/\s+/g, ' ')
  const figures = figuresOf(report, language)
  const letter: Letter = {
    language,
    room: withoutLinks(report.workspace_name),
    kind: words.kind,
    days,
    figures,
    unused: figures.length === 0 ? words.unused : '',
    sections: sectionsOf(report, arrived, language, links.workspace),
    open: { text: words.open, url: engagementOf(report, links.workspace) },
    notes: [words.counted, words.why],
    ways: [
      { text: words.settings, url: links.settings },
      { text: words.stop, url: links.unsubscribe },
    ],
  }
  return {
    to: email,
    subject: words.subject(report.workspace_name, days).replace(/\s+/g, ' '),
    text: textOf(letter),
    html: weeklyPageOf(letter, looks),
    headers: endedBy(links.unsubscribe),
  }
}

function figuresOf({ totals, measures_reading }: WeeklyReport, language: Language): Letter['figures'] {
  const { figures: labels, locale } = WEEKLY_WORDS[language]
  const { ms, readers, views, downloads } = totals
  const number = new Intl.NumberFormat(locale)
  if (views + downloads + (measures_reading ? ms : 0) === 0) return []
  const read = [
    { label: labels.reading, value: shortDuration(ms) },
    { label: labels.readers, value: number.format(readers) },
  ]
  return [
    ...(measures_reading ? read : []),
    { label: labels.views, value: number.format(views) },
    { label: labels.downloads, value: number.format(downloads) },
  ]
}

function textOf({ room, kind, days, figures, unused, sections, open, notes, ways }: Letter): string {
  const parts = [
    `${room}\n${kind}, ${days}`,
    figures.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    unused,
    ...sections.map(textOfSection),
    `${open.text}: ${open.url}`,
    ...notes,
    ways.map(({ text, url }) => `${text}: ${url}`).join('\n'),
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

function textOfSection({ title, lines, more }: Section): string {
  const listed = lines.map(({ text, detail, aside }) => {
    const first = `- ${text}${aside ? ` (${aside})` : ''}`
    return detail ? `${first}\n  ${detail}` : first
  })
  return [title.toUpperCase(), ...listed, more].filter(Boolean).join('\n')
}
