import { shortDuration } from '../../../contract/engagement/short-duration.ts'
import type { Language } from '../../../contract/endpoints/deal/notifications.ts'
import type { Named } from '../../store/news/to-do.ts'
import type { WeeklyReport } from '../../store/notifications/weekly-report.ts'
import { withoutLinks } from '../without-links.ts'
import { WEEKLY_WORDS } from './weekly-words.ts'

export interface Line {
  text: string
  detail: string
  /** At the right of the text. */
  aside?: string
  /** Length of a bar, from 0 to 1. */
  share?: number
  url?: string
}

export interface Section {
  title: string
  lines: Line[]
  /** Says how many lines are left out. */
  more?: string
}

type Words = (typeof WEEKLY_WORDS)[Language]

/** The parts of a report that have something to tell. Names are no links. */
export function sectionsOf(report: WeeklyReport, arrived: Named, language: Language, workspaceUrl: string): Section[] {
  const words = WEEKLY_WORDS[language]
  return [
    groupsIn(report, words),
    filesIn(report, words, workspaceUrl),
    arrivalsIn(arrived, words, workspaceUrl),
    { title: words.toDo, lines: toDoIn(report, words, workspaceUrl) },
  ].filter(({ lines }) => lines.length > 0)
}

function arrivalsIn(arrived: Named, words: Words, url: string): Section {
  const line = { text: namesOf(arrived, words), detail: '', url: `${url}/people` }
  return { title: words.arrived(arrived.count), lines: arrived.count > 0 ? [line] : [] }
}

function groupsIn({ groups, all_groups, measures_reading }: WeeklyReport, words: Words): Section {
  const longest = Math.max(1, ...groups.map(({ ms }) => ms))
  const lines = groups.map(({ name, ms, active, members, views, downloads }) => ({
    text: withoutLinks(name),
    detail: factsOf(words.active(active, members), words.views(views), words.downloads(downloads)),
    ...(measures_reading && { aside: shortDuration(ms), share: ms / longest }),
  }))
  const more = all_groups > groups.length && { more: words.moreGroups(all_groups - groups.length) }
  return { title: measures_reading ? words.byGroup : words.groups, lines, ...more }
}

/** A number stays beside its word. */
const factsOf = (...facts: string[]) => facts.map((fact) => fact.replaceAll(' ', '\u00a0')).join(' · ')

/** The page that has the figures of a report. */
export const engagementOf = ({ period }: Pick<WeeklyReport, 'period'>, workspaceUrl: string): string =>
  `${workspaceUrl}/activities/engagement?days=7&until=${period.to}`

function filesIn(report: WeeklyReport, words: Words, workspaceUrl: string): Section {
  const url = engagementOf(report, workspaceUrl)
  const lines = report.files.map(({ file_id, title, ms, readers, views, downloads }) => ({
    text: withoutLinks(title),
    detail: factsOf(words.readers(readers), words.views(views), words.downloads(downloads)),
    aside: shortDuration(ms),
    url: `${url}&file=${file_id}`,
  }))
  return { title: words.documents, lines }
}

function toDoIn(report: WeeklyReport, words: Words, url: string): Line[] {
  const { questions, ends, awaited, failed_files, refused } = report
  const days = new Intl.DateTimeFormat(words.locale, { dateStyle: 'long', timeZone: 'UTC' })
  const asked = {
    count: questions.waiting,
    names: questions.first.map(({ number, subject }) => `${number}. ${subject}`),
  }
  const overdue = questions.overdue > 0 && { aside: words.overdue(questions.overdue) }
  const counted: [Named, (count: number) => string, page: string, more?: object][] = [
    [asked, words.questions, 'questions', overdue || {}],
    [failed_files, words.failed, 'documents'],
    [awaited, words.awaited, 'people'],
    [refused, words.refused, 'people'],
  ]
  const ending = ends.map(({ kind, group_name, date }) => ({
    text: words.ends[kind](withoutLinks(group_name), days.format(new Date(date))),
    detail: '',
    url: `${url}/groups`,
  }))
  const lines = counted.map(([named, text, page, more]) => ({
    count: named.count,
    line: {
      text: text(named.count),
      detail: namesOf(named, words, named === asked ? ' · ' : ', '),
      url: `${url}/${page}`,
      ...more,
    },
  }))
  return [...ending, ...lines.flatMap(({ count, line }) => (count > 0 ? [line] : []))]
}

function namesOf({ count, names }: Named, words: Words, between = ', '): string {
  const rest = count - names.length
  return [names.map(withoutLinks).join(between), rest > 0 && words.more(rest)].filter(Boolean).join(' ')
}
