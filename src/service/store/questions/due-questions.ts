import { sql } from 'kysely'
import type { Language } from '../../../contract/endpoints/deal/notifications.ts'
import { workspaceAdmins } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import type { JobPayloads } from '../../jobs/queue.ts'
import { whoseTurn } from './whose-turn.ts'

/** What a workspace admin is reminded of in one workspace. */
export interface Reminder {
  workspace_id: number
  workspace_name: string
  user_id: number
  email: string
  first_name: string
  language: Language
  questions: DueQuestion[]
}

export interface DueQuestion {
  id: string
  number: number
  subject: string
  /** "2026-12-24". */
  due_on: string
  overdue: boolean
  to_approve: boolean
}

interface Claimed {
  claimed: number
  reminders: Reminder[]
}

/** Questions that are claimed at once. */
const MOST = 200

/**
 * Marks some questions as reminded of, and returns how many and who is to be told: on the day before they are due or
 * later, and once more when they are overdue. Days are those of UTC. Tells whose turn it is; all workspace admins where
 * nobody is named, or who is named is none any more. Users who want no mails get none.
 */
export async function claimReminders(db: Db, now: Date): Promise<Claimed> {
  const today = sql`${now.toISOString().slice(0, 10)}::date`
  const isWork = sql`q.status in ('to_approve', 'open', 'draft')`
  const { rows } = await sql<Claimed>`
    with due as (
      update questions q set reminded_on = ${today}
      where (q.workspace_id, q.id) in (
        select q.workspace_id, q.id from questions q
        where q.due_on is not null and ${isWork} and q.due_on <= ${today} + 1
          and (q.reminded_on is null or q.reminded_on < q.due_on - 1 or q.reminded_on <= q.due_on and ${today} > q.due_on)
        order by q.due_on limit ${MOST} for update skip locked
      )
      returning workspace_id, id, number, subject, due_on, due_on < ${today} as overdue, status = 'to_approve' as to_approve,
        ${whoseTurn} as user_id
    ), told as (
      select due.*, admin.user_id as told_id from due join ${workspaceAdmins} admin on admin.workspace_id = due.workspace_id
      where admin.user_id = due.user_id or not exists (
        select from ${workspaceAdmins} named where named.workspace_id = due.workspace_id and named.user_id = due.user_id)
    ), reminder as (
    select w.id as workspace_id, w.name as workspace_name, u.id as user_id, u.email, u.first_name, u.language,
      json_agg(json_build_object('id', told.id, 'number', told.number, 'subject', told.subject, 'due_on', told.due_on,
        'overdue', told.overdue, 'to_approve', told.to_approve) order by told.due_on, told.number) as questions
    from told join workspaces w on w.id = told.workspace_id
    join teams t on t.organization_id = w.organization_id and t.id = w.team_id and not t.suppress_emails
    join workspace_memberships m on m.workspace_id = w.id and m.user_id = told.told_id
    join users u on u.organization_id = w.organization_id and u.id = told.told_id and u.deleted_at is null
    where coalesce(m.mail_frequency, u.mail_frequency) <> 'off'
    group by w.id, w.name, u.id, u.email, u.first_name, u.language order by w.id, u.id
    )
    select (select count(*)::int from due) as claimed, coalesce(json_agg(reminder), '[]') as reminders from reminder`.execute(
    db,
  )
  return rows[0] ?? { claimed: 0, reminders: [] }
}

interface ClaimedPasses {
  claimed: number
  experts: Pick<JobPayloads['expert_mail'], 'workspace_id' | 'user_id' | 'questions'>[]
}

/**
 * Does the same for experts for whom questions wait, each of whom has days of their own: a question may be passed on after
 * its answerer was reminded. Whoever was asked is told of a day that is near then.
 */
export async function claimPassReminders(db: Db, now: Date): Promise<ClaimedPasses> {
  const today = sql`${now.toISOString().slice(0, 10)}::date`
  const told = sql`greatest(p.reminded_on, (p.asked_at at time zone 'UTC')::date)`
  const { rows } = await sql<ClaimedPasses>`
    with due as (
      update question_passes set reminded_on = ${today}
      where (workspace_id, question_id, user_id) in (
        select p.workspace_id, p.question_id, p.user_id from questions q
        join question_passes p on p.workspace_id = q.workspace_id and p.question_id = q.id
        where q.due_on is not null and q.status in ('to_approve', 'open', 'draft') and q.due_on <= ${today} + 1 and p.replied_at is null
          and (${told} < q.due_on - 1 or ${told} <= q.due_on and ${today} > q.due_on)
        order by q.due_on limit ${MOST} for update of p skip locked
      )
      returning workspace_id, user_id, question_id, asked_at
    ), expert as (
      select workspace_id, user_id, json_agg(json_build_object('id', question_id, 'asked_at', asked_at)) as questions
      from due group by workspace_id, user_id
    )
    select (select count(*)::int from due) as claimed, coalesce(json_agg(expert), '[]') as experts from expert`.execute(
    db,
  )
  return rows[0] ?? { claimed: 0, experts: [] }
}
