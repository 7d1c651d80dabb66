import { type RawBuilder, sql } from 'kysely'
import { isWorkspaceAdmin } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import type { Language } from '../../../contract/endpoints/deal/notifications.ts'
import { accountOf, before, REFUSED_MS, retryAfter, slotIn } from './due-members.ts'
import type { Slots } from './slots.ts'

export interface DueReport {
  user_id: number
  organization_id: number
  /** Of the person when the report was claimed. */
  is_admin: boolean
  since: string
  /** When the report was to come. */
  due_at: string
}

/**
 * Whether the report `r` is due to its user `u`, where `slot` has the last times. Mondays of two time zones begin up to 26
 * hours apart: whoever moves west has had the report of the week already.
 */
const isDue = (asOf: Date) => sql<boolean>`(
  r.reported_until < slot.weekly_at
  and (r.reported_at is null or r.reported_at < slot.weekly_at - interval '27 hours')
  and u.deleted_at is null
  and (r.retry_at is null or r.retry_at <= ${asOf.toISOString()}::timestamptz)
  and (u.mail_refused_at is null or u.mail_refused_at <= ${before(asOf, REFUSED_MS)}::timestamptz))`

/** Reports `r` whose week has ended in some time zone, with their users `u` and `slot`, where they are due. */
const dueReports = (slots: Slots, asOf: Date, where: RawBuilder<unknown> = sql`true`) => sql`
  weekly_reports r cross join lateral ${accountOf('r')} u join ${slotIn(slots)} on slot.time_zone = u.time_zone
  where r.reported_until < ${slots.weekly_at.toSorted().at(-1) ?? null}::timestamptz and ${where} and ${isDue(asOf)}`

export async function listWorkspacesWithDueReports(db: Db, slots: Slots, asOf: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct r.workspace_id as id from ${dueReports(slots, asOf)} order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Claims reports of a workspace that are due, and notes in the same statement that they were sent: no other worker claims
 * them, and after a crash nobody gets one twice.
 */
export async function claimReports(
  db: Db,
  workspaceId: number,
  { slots, asOf, most }: { slots: Slots; asOf: Date; most: number },
): Promise<DueReport[]> {
  const id = sql`${workspaceId}::int`
  const { rows } = await sql<DueReport>`
    with due as materialized (
      select r.user_id, r.reported_until as since, slot.weekly_at as due_at from ${dueReports(slots, asOf, sql`r.workspace_id = ${id}`)}
      order by r.user_id limit ${most} for no key update of r skip locked
    )
    update weekly_reports r set reported_until = ${asOf.toISOString()}::timestamptz,
      reported_at = due.due_at, retry_at = null from due
    where r.workspace_id = ${id} and r.user_id = due.user_id
    returning r.user_id, r.organization_id, ${isWorkspaceAdmin(id, sql`r.user_id`)} as is_admin, due.since, due.due_at`.execute(
    db,
  )
  return rows
}

/** Lets reports that were not handed over come again later. */
export async function putOffReports(
  db: Db,
  workspaceId: number,
  reports: readonly DueReport[],
  at: Date,
): Promise<void> {
  if (reports.length === 0) return
  await sql`
    update weekly_reports r set reported_until = late.since, reported_at = null, retry_at = ${retryAfter(at)}::timestamptz
    from unnest(${reports.map(({ user_id }) => user_id)}::int[], ${reports.map(({ since }) => since)}::timestamptz[])
      late (user_id, since)
    where r.workspace_id = ${workspaceId} and r.user_id = late.user_id`.execute(db)
}

export interface Recipient {
  user_id: number
  membership_id: number
  email: string
  first_name: string
  language: Language
  joined_at: string | null
}

/** Those of some users who administer a workspace now, may get mails about it, and still choose the report. */
export async function readRecipients(db: Db, workspaceId: number, userIds: readonly number[]): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select u.id as user_id, m.id as membership_id, u.email, u.first_name, u.language, m.joined_at
    from weekly_reports r
    join workspace_memberships m on m.workspace_id = r.workspace_id and m.user_id = r.user_id
    join workspaces w on w.organization_id = m.organization_id and w.id = m.workspace_id
    join teams t on t.organization_id = w.organization_id and t.id = w.team_id and not t.suppress_emails
    join users u on u.organization_id = m.organization_id and u.id = m.user_id and u.deleted_at is null
    where r.workspace_id = ${workspaceId} and r.user_id = any(${userIds}::int[])
      and ${isWorkspaceAdmin(sql`m.workspace_id`, sql`m.user_id`)}`.execute(db)
  return rows
}
