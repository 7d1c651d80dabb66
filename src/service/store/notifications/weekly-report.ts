import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace, VisibleFolder } from '../../access/scopes.ts'
import { isAwaited } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { dayAfter, dayAt } from '../audit/local-days.ts'
import { listEngagedGroups } from '../engagement/engaged-groups.ts'
import { type EngagedTotals, readEngagedTotals } from '../engagement/engaged-totals.ts'
import { listUsedFiles } from '../engagement/engagement-report.ts'
import type { Period } from '../engagement/engaged.ts'
import type { ReadFile } from '../engagement/read-files.ts'
import { failedFiles, firstOf, membersWhere, type Named, nameOfMember } from '../news/to-do.ts'
import { listQuestions } from '../questions/list-questions.ts'
import { type GroupEnd, listEndsIn } from '../workspaces/expirations.ts'

/** The most of each that a report names. */
const NAMED = { groups: 10, files: 5, people: 8, questions: 3 }
/** Ends of access that a report announces. */
const DAYS_AHEAD = 7

type Group = Reply<Api['engagement']['groups']>['groups'][number]
type Question = Reply<Api['questions']['list']>['questions'][number]

interface Facts {
  workspace_name: string
  measures_reading: boolean
  /** Members who came in for the first time in the week. */
  arrived: Named<{ user_id: number; name: string }>
  /** Now, as the pages of people and documents show it. */
  awaited: Named
  refused: Named
  failed_files: Named
  /** Since the week began. */
  new_problems: boolean
}

/** What the weekly report tells admins of a workspace. The figures are those of the Engagement page for the same days. */
export interface WeeklyReport extends Facts {
  period: Period
  totals: Pick<EngagedTotals, 'ms' | 'readers' | 'views' | 'downloads'>
  /** Those that used files, first of all those that read longest. */
  groups: Group[]
  all_groups: number
  files: (ReadFile & { title: string })[]
  ends: GroupEnd[]
  questions: { waiting: number; overdue: number; first: Pick<Question, 'id' | 'number' | 'subject'>[] }
}

/**
 * The week that a report is about: the last seven days in UTC that were over when it was due. It is Monday to Sunday where
 * Monday has begun in UTC by eight in the morning, otherwise Sunday to Saturday, so that the next report goes on where
 * this one ends.
 */
export function weekBefore(dueAt: string): Period {
  const to = dayAfter(dayAt(Date.parse(dueAt), undefined), -1)
  return { from: dayAfter(to, -6), to }
}

export const isInWeek = (time: string, { from, to }: Period) => time >= from && time < dayAfter(to, 1)

/** Reads a report with as many statements for any number of its readers. */
export async function readWeeklyReport(
  db: Db,
  root: VisibleFolder & { workspace: AdministeredWorkspace },
  period: Period,
): Promise<WeeklyReport> {
  const { workspace } = root
  const facts = await readFacts(db, workspace, period)
  const { ms, readers, views, downloads } = await readEngagedTotals(db, workspace, period, 0)
  const groups = await listEngagedGroups(db, workspace, period)
  const active = groups.filter((group) => isUsed(group, facts))
  if (!facts.measures_reading) active.sort((a, b) => b.views - a.views || b.downloads - a.downloads)
  const files = facts.measures_reading ? (await listUsedFiles(db, root, period, NAMED.files)).used : []
  return {
    ...facts,
    period,
    totals: { ms, readers, views, downloads },
    groups: active.slice(0, NAMED.groups),
    all_groups: active.length,
    files: files.filter(({ read }) => read.ms > 0).map(({ read, title }) => ({ ...read, title })),
    ends: await listEndsIn(db, workspace, DAYS_AHEAD),
    questions: await readQuestions(db, workspace),
  }
}

const isUsed = ({ ms, views, downloads }: Group, { measures_reading }: Facts) =>
  views + downloads > 0 || (measures_reading && ms > 0)

/** Whether anything has happened that the report tells a reader, or will soon, or awaits an answer. */
export function isWorthTelling(report: WeeklyReport, arrivals: number): boolean {
  const { totals, measures_reading, ends, questions, new_problems } = report
  const used = totals.views + totals.downloads + (measures_reading ? totals.ms : 0)
  return used + arrivals + ends.length + questions.waiting > 0 || new_problems
}

async function readFacts(db: Db, { id }: AdministeredWorkspace, { from, to }: Period): Promise<Facts> {
  const inWeek = (time: string) =>
    sql`${sql.ref(time)} >= ${from}::timestamptz and ${sql.ref(time)} < ${to}::timestamptz + interval '1 day'`
  const refusedAt = sql`(select u.mail_refused_at from users u where u.organization_id = m.organization_id and u.id = m.user_id)`
  const person = sql`json_build_object('user_id', newest.user_id, 'name', ${nameOfMember})`
  const refused = membersWhere(id, sql`${refusedAt} is not null`)
  const { rows } = await sql<Facts>`
    select w.name as workspace_name, w.measures_reading,
      ${firstOf(membersWhere(id, inWeek('m.joined_at')), person, NAMED.people + 1)} as arrived,
      ${firstOf(membersWhere(id, isAwaited('m')), nameOfMember, NAMED.people)} as awaited,
      ${firstOf(refused, nameOfMember, NAMED.people)} as refused,
      ${firstOf(failedFiles(id), sql`newest.title`, NAMED.files)} as failed_files,
      exists (${membersWhere(id, sql`${refusedAt} >= ${from}::timestamptz`)})
        or exists (${failedFiles(id, sql`d.updated_at >= ${from}::timestamptz`)}) as new_problems
    from workspaces w where w.id = ${id}`.execute(db)
  const [facts] = rows
  if (!facts) throw new Error('a workspace that was entered has no row')
  return facts
}

const WAITING: readonly string[] = ['to_approve', 'open', 'draft']

async function readQuestions(db: Db, workspace: AdministeredWorkspace): Promise<WeeklyReport['questions']> {
  const { questions, counts } = await listQuestions(db, workspace, { per_page: 25 })
  const first = questions.filter(({ status }) => WAITING.includes(status))
  return {
    waiting: counts.to_approve + counts.open + counts.draft,
    overdue: counts.overdue,
    first: first.slice(0, NAMED.questions).map(({ id, number, subject }) => ({ id, number, subject })),
  }
}
