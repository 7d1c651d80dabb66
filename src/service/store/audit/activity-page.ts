import { sql } from 'kysely'
import { sentenceOf } from '../../../contract/acts.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { Params } from '../../../contract/sentence.ts'
import type { Workspace } from '../../access/scopes.ts'
import { type Fragment, rightsOf } from '../../access/sql.ts'
import { JsonList, jsonNullable, jsonNumber, jsonObject, jsonText, jsonTime } from '../../db/json-list.ts'
import type { Db } from '../../db/pool.ts'
import { type ParametersOf, statement } from '../../db/statement.ts'
import { readAct } from './activity-acts.ts'
import { NO_RANGE, type ZonedRange, zonedRange } from './local-days.ts'
import { areTotalsDue, keepTotals, totalOf, totalsUntil } from './activity-totals.ts'

export interface ActivityFilters {
  user_id?: number | undefined
  /** The user whose acts are left out. */
  except_user_id?: number | undefined
  verb?: string | undefined
  subject_type?: string | undefined
  subject_id?: number | undefined
  /** First and last day, inclusive, in the time zone; without one, in UTC. */
  from?: string | undefined
  to?: string | undefined
  time_zone?: string | undefined
}

export interface Page {
  page: number
  per_page: number
}

export type Activity = Reply<Api['activities']['list']>['events'][number]

export interface ActivityPage {
  events: JsonList | Activity[]
  total_items: number
}

export interface Reader {
  id: number | Fragment
  admin: boolean
  group_ids: readonly number[] | Fragment
}

export type Conditions = { [Name in keyof ActivityFilters]: ActivityFilters[Name] | Fragment } & {
  /** The time before which the last activity was. */
  before?: string | Fragment | undefined
  since?: string | Fragment | undefined
}

/** Replaces a refused opening for a reader who cannot view the file. */
const HIDDEN = { act: 'hidden_file_refused' } as const

interface Kind {
  admin: boolean
  filters: readonly (typeof NAMES)[number][]
  /** The days are those of a time zone. */
  isZoned: boolean
  /** In the text, because PostgreSQL would expect a tenth of all activities for a parameter. */
  per_page: number
  isFirst: boolean
}

interface Values extends ActivityFilters, ZonedRange {
  id: number
  group_ids: readonly number[]
  offset: number
}

interface Found {
  text: string | null
  elements: number
  /** Some acts have to be read from their messages. */
  has_old: boolean
  total: number
  is_due: boolean
}

/** A page of the activities that match, newest first, and the number of all of them. */
export async function readPage(
  db: Db,
  workspace: Workspace,
  filters: ActivityFilters,
  { page, per_page }: Page,
): Promise<ActivityPage> {
  const { id, admin, group_ids } = workspace
  const used = NAMES.filter((name) => filters[name] !== undefined && filters[name] !== '')
  const isZoned = filters.time_zone !== undefined && (used.includes('from') || used.includes('to'))
  const kind = { admin, filters: used, isZoned, per_page, isFirst: page === 1 }
  const range = isZoned ? zonedRange(filters) : NO_RANGE
  const values = { ...filters, ...range, id, group_ids, offset: (page - 1) * per_page }
  const [found] = await statementFor(kind)(db, values)
  if (!found) return { events: [], total_items: 0 }
  if (found.is_due) keepTotals(db, id)
  const events = found.has_old
    ? await readRows(db, workspace, filters, values.offset, per_page)
    : new JsonList(found.text === null ? [] : [{ text: found.text, elements: found.elements }])
  return { events, total_items: found.total }
}

const NAMES = ['user_id', 'except_user_id', 'verb', 'subject_type', 'subject_id', 'from', 'to'] as const

const statements = new Map<string, ReturnType<typeof pageAt>>()

function statementFor(kind: Kind) {
  const name = JSON.stringify(kind)
  const known = statements.get(name) ?? pageAt(kind)
  statements.set(name, known)
  return known
}

const pageAt = (kind: Kind) =>
  statement<Values, Found>((values) => {
    const reader = { id: values.id, admin: kind.admin, group_ids: values.group_ids }
    const named: Conditions = Object.fromEntries(kind.filters.map((name) => [name, values[name]]))
    const conditions = kind.isZoned ? inRange(named, values) : named
    const count = conditions.subject_id
      ? countAll(reader, conditions)
      : kind.isZoned
        ? countZoned(values, conditions)
        : countSince(values, conditions)
    const [limit, { offset }] = [sql.lit(kind.per_page), values]
    const part = kind.isFirst
      ? sql`limit ${limit}`
      : sql`limit case when ${offset}::bigint < count.total then ${limit} else 0 end offset ${offset}`
    return sql`
      select page.*, count.* from ${count} count cross join lateral (
        select string_agg(element, ',') as text, count(*)::int as elements, coalesce(bool_or(is_old), false) as has_old
        from (
          select ${elementFor(reader)} as element, act is null and not (${isHidden(reader)}) as is_old
          from activities where ${conditionOf(reader, conditions)}
          order by created_at desc, id desc ${part}
        ) act
      ) page`
  })

const countAll = (reader: Reader, conditions: Conditions): Fragment => sql`(
  select count(*) as total, false as is_due from activities where ${conditionOf(reader, conditions)})`

const inRange = (named: Conditions, { since, before }: Record<'since' | 'before', Fragment>): Conditions => ({
  ...named,
  from: undefined,
  to: undefined,
  since,
  before,
})

/** As `countSince`, but only the whole UTC days come from the totals. */
function countZoned(values: ParametersOf<Values>, { since, before, ...others }: Conditions): Fragment {
  const reader = { id: values.id, admin: true, group_ids: [] }
  const { from, to, whole_from, whole_until } = values
  const whole = countSince(values, { ...others, since, before }, { from, to })
  return sql`(
    select whole.total + edges.matching as total, whole.is_due from ${whole} whole cross join (
      select count(*) as matching
      from (values (${since}::timestamptz, ${whole_from}::timestamptz), (${whole_until}::timestamptz, ${before}::timestamptz)) edge (a, b)
      cross join lateral (
        select from activities where ${conditionOf(reader, others)} and created_at >= edge.a
          and created_at < least(edge.b, ${totalsUntil(values.id)}) offset 0
      ) act
    ) edges)`
}

/** Adds what the totals do not have yet. Two bounds: without the upper one, a third of all activities would be expected. */
function countSince(
  { id }: ParametersOf<Values>,
  { user_id, ...others }: Conditions,
  days: Pick<Conditions, 'from' | 'to'> = others,
): Fragment {
  const reader = { id, admin: true, group_ids: [] }
  const matches = Object.keys(others).length > 0 ? conditionOf(reader, others) : sql`true`
  const { verb, subject_type, except_user_id } = others as Record<string, Fragment>
  const { from, to } = days as Record<string, Fragment>
  const filters = { verb, subject_type, from, to, user_id: user_id as Fragment, workspace_id: id }
  const total = totalExcept(except_user_id, filters)
  return sql`(
    select ${total} + since.matching as total, ${areTotalsDue(totalsUntil(id), sql`since.uncounted`)} as is_due
    from (
      select count(*) as uncounted, count(*) filter (where ${matches}) as matching from activities
      where ${conditionOf(reader, { user_id })} and created_at >= ${totalsUntil(id)} and created_at <= 'infinity'
    ) since)`
}

function totalExcept(userId: Fragment | undefined, filters: Parameters<typeof totalOf>[0]): Fragment {
  const total = totalOf(filters)
  if (userId === undefined) return total
  if (filters.user_id) return sql`case when ${filters.user_id}::int = ${userId}::int then 0 else ${total} end`
  return sql`${total} - ${totalOf({ ...filters, user_id: userId })}`
}

const elementFor = (reader: Reader): Fragment => {
  const shown = shownTo(reader)
  return jsonObject({
    id: jsonNumber(sql`id`),
    user_id: jsonNumber(sql`user_id`),
    user_name: jsonText(sql`user_name`),
    workspace_id: jsonNumber(sql`workspace_id`),
    verb: jsonText(sql`verb`),
    message: jsonText(shown.message),
    subject_type: jsonNullable(jsonText(sql`subject_type`)),
    subject_id: jsonNullable(shown.subject_id),
    created_at: jsonTime(sql`created_at`),
    act: jsonNullable(jsonText(shown.act)),
    params: sql`coalesce(${shown.params}::text, '{}')`,
  } satisfies Record<keyof Activity, unknown>)
}

export function shownTo(reader: Reader): Record<'message' | 'subject_id' | 'act' | 'params', Fragment> {
  const [message, subject_id, act, params] = [sql`message`, sql`subject_id`, sql`act`, sql`params`]
  if (reader.admin) return { message, subject_id, act, params }
  const hidden = isHidden(reader)
  return {
    message: sql`case when ${hidden} then ${sentenceOf(HIDDEN)} else message end`,
    subject_id: sql`case when ${hidden} then null else subject_id end`,
    act: sql`case when ${hidden} then ${HIDDEN.act} else act end`,
    params: sql`case when ${hidden} then '{}' else params end`,
  }
}

/** The filters with moments instead of days where the days are those of a time zone. */
export function inDays({ time_zone, from, to, ...others }: ActivityFilters): Conditions {
  if (time_zone === undefined) return { ...others, from, to }
  const { since, before } = zonedRange({ time_zone, from, to })
  return { ...others, since, before }
}

export interface ActivityRow extends Omit<Activity, 'params'> {
  params: Params | null
}

/** The same page, for acts from before acts were stored, and for names that this version does not know. */
async function readRows(
  db: Db,
  workspace: Workspace,
  filters: ActivityFilters,
  offset: number,
  limit: number,
): Promise<Activity[]> {
  const { message, subject_id, act, params } = shownTo(workspace)
  const { rows } = await sql<ActivityRow>`
    select id, user_id, user_name, workspace_id, verb, ${message} as message, subject_type, ${subject_id} as subject_id,
      created_at, ${act} as act, ${params} as params
    from activities where ${conditionOf(workspace, inDays(filters))}
    order by created_at desc, id desc limit ${limit} offset ${offset}`.execute(db)
  return rows.map((row) => ({ ...row, ...toldIn(row) }))
}

export const toldIn = (row: ActivityRow) =>
  row.act === null ? readAct(row) : { act: row.act, params: row.params ?? {} }

export function conditionOf(reader: Reader, filters: Conditions): Fragment {
  const { user_id, except_user_id, verb, subject_type, subject_id, from, to, since, before } = filters
  const conditions = [sql`workspace_id = ${reader.id}`]
  if (user_id !== undefined) conditions.push(sql`user_id = ${user_id}`)
  if (except_user_id !== undefined) conditions.push(sql`user_id <> ${except_user_id}`)
  if (verb) conditions.push(sql`verb = ${verb}`)
  if (subject_type) conditions.push(sql`subject_type = ${subject_type}`)
  if (subject_id !== undefined) conditions.push(sql`subject_id = ${subject_id}`, sql`not (${isHidden(reader)})`)
  if (from) conditions.push(sql`created_at >= ${from}::timestamptz`)
  if (to) conditions.push(sql`created_at < ${to}::timestamptz + interval '1 day'`)
  if (since) conditions.push(sql`created_at >= ${since}::timestamptz`)
  if (before) conditions.push(sql`created_at < ${before}::timestamptz`)
  return sql.join(conditions, sql` and `)
}

/**
 * Whether an activity names a file that the reader cannot view. Only a refused opening of a sealed copy does, because
 * its holder may never have seen the file (decisions, section 8).
 */
function isHidden({ id, admin, group_ids }: Reader): Fragment {
  if (admin) return sql`false`
  return sql`verb = 'refused' and subject_type = 'Asset' and not exists (
    select from files f join folders d on d.workspace_id = f.workspace_id and d.id = f.folder_id
    where f.workspace_id = ${id} and f.id = activities.subject_id and f.deleted_at is null
      and d.deleted_at is null and (select view from ${rightsOf(id, group_ids, sql`d.id_path`)} r))`
}
