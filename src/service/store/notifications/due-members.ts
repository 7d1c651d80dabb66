import { type RawBuilder, sql } from 'kysely'
import { type Fragment, isWorkspaceAdmin, standingIn } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { CHANGED_ACCESS, CHANGED_FILE } from '../news/changes.ts'
import { answersTold, newestOfQuestions, questionNewsFor } from './question-news.ts'
import type { Slots } from './slots.ts'
import { partsOfChanges, visibleChanges } from './visible-changes.ts'

const MINUTE_MS = 60_000
/** A mail at once waits until nothing has changed for this time, but no longer than the second. */
export const QUIET_MS = 5 * MINUTE_MS
export const LONGEST_WAIT_MS = 30 * MINUTE_MS
/** Changes whose transactions may not have ended yet are left to the next mail. */
export const SETTLED_MS = MINUTE_MS
const RETRY_MS = 15 * MINUTE_MS
/** After the mail server has refused an address for good, no news are mailed to it for this time. */
export const REFUSED_MS = 7 * 24 * 60 * MINUTE_MS
const OLDEST_MS = 8 * 24 * 60 * MINUTE_MS

export interface DueMember {
  user_id: number
  since: string
  /** What is later is left to the next mail. */
  until: string
  questions_since: string
}

export const before = (asOf: Date, ms: number) => new Date(asOf.getTime() - ms).toISOString()

export const retryAfter = (at: Date) => new Date(at.getTime() + RETRY_MS).toISOString()

const actsOf = (workspaceId: RawBuilder<unknown>, which: RawBuilder<unknown>, order: 'asc' | 'desc') => sql`(
  select a.created_at from activities a where a.workspace_id = ${workspaceId} and ${which}
  order by a.created_at ${sql.raw(order)}, a.id ${sql.raw(order)} limit 1)`

const newestIn = (workspaceId: RawBuilder<unknown>, asOf: string) => sql`(
  select max(act.created_at) as at from (
    ${actsOf(workspaceId, sql`${CHANGED_FILE} and a.created_at <= ${asOf}::timestamptz`, 'desc')}
    union all ${actsOf(workspaceId, sql`${CHANGED_ACCESS} and a.created_at <= ${asOf}::timestamptz`, 'desc')}
  ) act)`

const oldestFor = (since: RawBuilder<unknown>) => sql`(
  select min(act.created_at) from (
    ${actsOf(sql`m.workspace_id`, sql`${CHANGED_FILE} and a.created_at > ${since}`, 'asc')}
    union all ${actsOf(sql`m.workspace_id`, sql`${CHANGED_ACCESS} and a.created_at > ${since}`, 'asc')}
  ) act)`

const since = sql`greatest(m.mailed_until, m.joined_at)`
/** Workers of the previous release move `mailed_until` on without a word of questions, so it does not count. */
const questionsSince = sql`greatest(m.joined_at, m.questions_from)`
const frequency = sql`coalesce(m.mail_frequency, u.mail_frequency)`

/** The last time at which the member gets mails; null for those who get them at once. */
const slotOf = sql`(case ${frequency} when 'daily' then slot.daily_at when 'weekly' then slot.weekly_at end)`

const mayGetMails = (asOf: Date) => sql<boolean>`(
  m.joined_at is not null and u.deleted_at is null
  and (m.mail_retry_at is null or m.mail_retry_at <= ${asOf.toISOString()}::timestamptz)
  and (u.mail_refused_at is null or u.mail_refused_at <= ${before(asOf, REFUSED_MS)}::timestamptz))`

/** Whether the member `m`, user `u`, may get a mail now if there are news, where `slot` has the last times. */
const isReady = (asOf: Date) => sql<boolean>`(
  ${mayGetMails(asOf)} and (${frequency} = 'at_once' or m.mailed_until < ${slotOf}))`

const isAtOnce = sql<boolean>`(${frequency} = 'at_once')`

/** Whether changes have been followed by none for a while, or have waited for long. */
const isQuiet = (asOf: Date, newest: RawBuilder<unknown>, oldest: RawBuilder<unknown>) => sql<boolean>`(
  ${newest} <= ${before(asOf, QUIET_MS)}::timestamptz or ${oldest} <= ${before(asOf, LONGEST_WAIT_MS)}::timestamptz)`

/**
 * Whether a mail to such a member may be due, by the times of the newest and the oldest of all changes since the last. One at
 * once is due by those alone that its reader sees.
 */
const mayBeDue = (asOf: Date, newest: RawBuilder<unknown>, oldest: RawBuilder<unknown>, from = since) => sql<boolean>`(
  ${newest} > ${from} and case when ${isAtOnce} then ${oldest} <= ${before(asOf, QUIET_MS)}::timestamptz
    else ${oldest} <= ${slotOf} end)`

export const slotIn = ({ time_zones, daily_at, weekly_at }: Slots) => sql`
  unnest(${time_zones}::text[], ${daily_at}::timestamptz[], ${weekly_at}::timestamptz[]) as slot (time_zone, daily_at, weekly_at)`

/** The account of a row's user. `offset 0` keeps the planner from reading all users instead of one by its key. */
export const accountOf = (row: 'm' | 'r') => sql`(
  select * from users own where own.organization_id = ${sql.id(row)}.organization_id and own.id = ${sql.id(row)}.user_id offset 0)`

/**
 * `(newest, oldest)`: when what is news to the member `m` about questions came, where `told` are the answers of the workspace and
 * `worked` is when anything was last done with a question of it. Only members whom that may concern are looked at closely, and
 * none to whom a mail is due anyway: the close look takes most of the time.
 */
function questionTimes(
  workspaceId: Fragment,
  asOf: Date,
  { worked, isDueAnyway }: { worked: Fragment; isDueAnyway: Fragment },
): Fragment {
  const reader = {
    user_id: sql`m.user_id`,
    admin: sql`standing.admin`,
    group_ids: sql`standing.group_ids`,
    since: questionsSince,
  }
  return sql`(
    select max(q.at) as newest, min(q.at) as oldest
    from ${standingIn(workspaceId, sql`m.user_id`, asOf.toISOString().slice(0, 10))} standing
    cross join lateral ${questionNewsFor(workspaceId, reader)} q
    where q.at <= ${asOf.toISOString()}::timestamptz and not ${isDueAnyway} and ${worked} > ${questionsSince} and (exists (
        select from told join group_memberships gm on gm.workspace_id = ${workspaceId} and gm.user_id = m.user_id
          and gm.group_id = coalesce(told.group_id, gm.group_id) where told.at > ${questionsSince}
      ) or ${isWorkspaceAdmin(workspaceId, sql`m.user_id`)}))`
}

/** The workspaces that have members for whom a mail is due. Of each, only members are read whom its newest change may concern. */
export async function listWorkspacesWithDue(db: Db, slots: Slots, asOf: Date): Promise<number[]> {
  const id = sql`newest.id`
  const isDueAnyway = sql`coalesce(${mayBeDue(asOf, sql`newest.at`, oldestFor(since))}, false)`
  const { rows } = await sql<{ id: number }>`
    with newest as materialized (
      select w.id, act.at, question.at as question_at from workspaces w
      cross join lateral ${newestIn(sql`w.id`, asOf.toISOString())} act
      cross join lateral ${newestOfQuestions(sql`w.id`)} question
      where greatest(act.at, question.at) > ${before(asOf, OLDEST_MS)}::timestamptz
    )
    select newest.id from newest cross join lateral (
      with told as materialized (${answersTold(id)})
      select from (
        select m.* from workspace_memberships m where m.workspace_id = ${id}
          and least(m.mailed_until, m.questions_from) < greatest(newest.at, newest.question_at)
          and m.joined_at is not null and m.mail_frequency is distinct from 'off' offset 0
      ) m join workspaces w on w.organization_id = m.organization_id and w.id = m.workspace_id
      cross join lateral ${accountOf('m')} u join ${slotIn(slots)} on slot.time_zone = u.time_zone
      cross join lateral ${questionTimes(id, asOf, { worked: sql`newest.question_at`, isDueAnyway })} question
      where ${isReady(asOf)} and (${isDueAnyway} or ${mayBeDue(asOf, sql`question.newest`, sql`question.oldest`, questionsSince)})
      limit 1
    ) due order by newest.id`.execute(db)
  return rows.map(({ id: due }) => due)
}

/**
 * Claims members for whom a mail is due, and moves what was mailed to them on in the same statement, to `asOf` or, for daily and
 * weekly mails, to the time at which they come: else what others alone see would bring later news earlier. No other
 * worker claims them, and after a crash nobody gets a mail twice. Questions count for those who may read them, and for mails at
 * once files too: the time of a mail must not tell others of them.
 */
export async function claimDue(
  db: Db,
  workspaceId: number,
  { slots, asOf, most }: { slots: Slots; asOf: Date; most: number },
): Promise<DueMember[]> {
  const id = sql`${workspaceId}::int`
  const until = sql`${asOf.toISOString()}::timestamptz`
  // Without a closer look at the questions, which takes most of the time.
  const isDueAnyway = sql`(not ${isAtOnce} and coalesce(first.at <= ${slotOf}, false))`
  const newest = sql`greatest(visible.newest, question.newest)`
  const oldest = sql`least(visible.oldest, question.oldest)`
  const mayConcern = mayBeDue(asOf, sql`act.at`, sql`first.at`)
  // What others alone have seen is passed over, without a mail.
  const isDueAtOnce = sql`case when ${newest} is null then ${mayConcern} and ${isQuiet(asOf, sql`act.at`, sql`first.at`)}
    else ${isQuiet(asOf, newest, oldest)} end`
  const { rows } = await sql<DueMember>`
    with told as materialized (${answersTold(workspaceId)}), worked as materialized (select at from ${newestOfQuestions(id)} q),
    person as materialized (
      select m.user_id, ${since} as since, ${until} as until, standing.admin, standing.group_ids
      from workspace_memberships m
      join workspaces w on w.organization_id = m.organization_id and w.id = m.workspace_id
      cross join lateral ${accountOf('m')} u
      cross join lateral ${standingIn(id, sql`m.user_id`, asOf.toISOString().slice(0, 10))} standing
      where m.workspace_id = ${id} and m.mailed_until < ${until} and ${isAtOnce} and ${mayGetMails(asOf)}
    ), ${partsOfChanges(workspaceId)},
    visible as materialized (select * from ${visibleChanges(workspaceId)} v),
    due as materialized (
      select m.user_id, ${since} as since, ${questionsSince} as questions_since,
        case when ${isAtOnce} then ${until} else ${slotOf} end as until
      from workspace_memberships m
      join workspaces w on w.organization_id = m.organization_id and w.id = m.workspace_id
      cross join lateral ${accountOf('m')} u join ${slotIn(slots)} on slot.time_zone = u.time_zone
      cross join ${newestIn(id, asOf.toISOString())} act
      cross join lateral (select ${oldestFor(since)} as at) first
      cross join lateral ${questionTimes(id, asOf, { worked: sql`(select at from worked)`, isDueAnyway })} question
      left join visible on visible.user_id = m.user_id
      where m.workspace_id = ${id} and ${isReady(asOf)} and case when ${isAtOnce} then ${isDueAtOnce}
        else ${mayConcern} or ${mayBeDue(asOf, sql`question.newest`, sql`question.oldest`, questionsSince)} end
      order by m.user_id limit ${most} for no key update of m skip locked
    )
    update workspace_memberships m set mailed_until = due.until, questions_from = greatest(m.questions_from, due.until),
      mail_retry_at = null from due
    where m.workspace_id = ${id} and m.user_id = due.user_id
    returning m.user_id, due.since, due.until, due.questions_since`.execute(db)
  return rows
}

/** Lets a mail that was not handed over come again later, with what is new by then. */
export async function putOff(db: Db, workspaceId: number, members: readonly DueMember[], at: Date): Promise<void> {
  if (members.length === 0) return
  const [since, questionsSince] = [members.map((each) => each.since), members.map((each) => each.questions_since)]
  await sql`
    update workspace_memberships m set mailed_until = late.since, questions_from = late.questions_since,
      mail_retry_at = ${retryAfter(at)}::timestamptz
    from unnest(${members.map(({ user_id }) => user_id)}::int[], ${since}::timestamptz[], ${questionsSince}::timestamptz[])
      late (user_id, since, questions_since)
    where m.workspace_id = ${workspaceId} and m.user_id = late.user_id`.execute(db)
}
