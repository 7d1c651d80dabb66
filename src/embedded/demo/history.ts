import { sql } from 'kysely'
import { type Db, openPool } from '../../service/db/pool.ts'
import { transaction } from '../../service/db/transaction.ts'
import { recordAs } from '../../service/store/audit/activities.ts'
import { type Deed, recordForOrganizationAs } from '../../service/store/audit/audit.ts'
import type { User } from './fill.ts'

/**
 * The past of the demo. Its people act through the API, now; then the resulting rows are dated back to the time of the
 * story. Only the demo can do this: the service has no such statement. The audit trail is not changed: it keeps the
 * real times and has an entry that says so.
 */
export interface History {
  /** Runs the work, then dates its changes back: they spread over `minutes`, beginning at `moment`. */
  at(moment: Date, minutes: number, work: () => Promise<void>): Promise<void>
  /** The same for terms that are issued, within a minute. */
  issueAt(moment: Date, work: () => Promise<void>): Promise<void>
  countReadings(workspaceId: number): Promise<number>
  /** Records that a user viewed or downloaded a file. Through the API, its pages would have to be ready first. */
  addReading(workspaceId: number, reader: User, reading: Reading): Promise<void>
  /** Adds for how long a user read the pages of files on the day of `moment`. */
  addReadingTimes(workspaceId: number, reader: User, moment: Date, files: ReadPages[]): Promise<void>
  /** Lets each member be active last at their last act: parts of the story are told after later ones. */
  settleVisits(workspaceId: number): Promise<void>
  admit(organizationId: number, by: User, since: Date): Promise<void>
  close(): Promise<void>
}

export interface Reading {
  verb: 'viewed' | 'downloaded'
  file: { id: number; title: string }
}

export interface ReadPages {
  id: number
  version: number
  /** Of each page, from the first. */
  seconds: number[]
}

/** From and to are milliseconds of the database's clock. */
interface Stretch {
  from: number
  to: number
  moment: Date
  minutes: number
}

const DATED: Record<string, string[]> = {
  users: ['created_at', 'updated_at'],
  teams: ['created_at', 'updated_at'],
  team_memberships: ['created_at', 'updated_at'],
  watermarks: ['created_at', 'updated_at'],
  workspaces: ['created_at', 'updated_at'],
  workspace_memberships: ['created_at', 'updated_at', 'joined_at', 'last_active_at'],
  groups: ['created_at', 'updated_at'],
  group_memberships: ['created_at'],
  folders: ['created_at', 'updated_at', 'deleted_at'],
  files: ['created_at', 'updated_at', 'deleted_at'],
  file_versions: ['created_at'],
  activities: ['created_at'],
  questions: ['asked_at', 'drafted_at', 'answered_at', 'told_all_at'],
  question_entries: ['created_at'],
  question_receivers: ['told_at'],
  question_experts: ['created_at'],
  question_passes: ['asked_at', 'replied_at'],
  question_views: ['viewed_at'],
  file_views: ['viewed_at'],
  terms_answers: ['answered_at'],
  draft_memberships: ['created_at'],
  draft_schedules: ['planned_at'],
  staged_rights: ['staged_at'],
  workspace_templates: ['created_at'],
  brandings: ['created_at', 'updated_at'],
}

/** Their triggers refuse changes, also those of the demo, and are off while it dates what was issued. */
const ISSUED: Record<string, string[]> = { terms_versions: ['issued_at'], terms_pdfs: ['uploaded_at'] }

const MINUTE = 60_000
/** Milliseconds. Stored times are rounded to milliseconds. */
const ROUNDED = 1

export function openHistory(databaseUrl: string): History {
  const db = openPool(databaseUrl, 2)

  async function now(): Promise<number> {
    const { rows } = await sql<{ ms: number }>`
      select extract(epoch from clock_timestamp())::float8 * 1000 as ms`.execute(db)
    return rows[0]?.ms ?? 0
  }

  async function work(moment: Date, minutes: number, done: () => Promise<void>, isIssue: boolean): Promise<void> {
    const from = await now()
    await done()
    const stretch = { from, to: await now(), moment, minutes }
    await transaction(db, async (tx) => {
      if (!isIssue) return dateBack(tx, DATED, stretch)
      await guard(tx, 'disable')
      await dateBack(tx, { ...DATED, ...ISSUED }, stretch)
      await guard(tx, 'enable')
    })
  }

  async function guard(tx: Db, how: 'disable' | 'enable'): Promise<void> {
    for (const table of Object.keys(ISSUED))
      await sql`alter table ${sql.table(table)} ${sql.raw(how)} trigger user`.execute(tx)
  }

  async function dateBack(tx: Db, tables: typeof DATED, { from, to, moment, minutes }: Stretch): Promise<void> {
    const since = sql`to_timestamp(${(from - ROUNDED) / 1000}::float8)`
    const stretch = (minutes * MINUTE) / (to - from + 2 * ROUNDED)
    const updates = Object.entries(tables).map(([table, columns]) => {
      const isNew = columns.map((column) => sql`${sql.ref(column)} >= ${since}`)
      const dated = columns.map((column) => {
        const value = sql.ref(column)
        const then = sql`${moment}::timestamptz + (${value} - ${since}) * ${stretch}::float8`
        return sql`${value} = case when ${value} >= ${since} then ${then} else ${value} end`
      })
      return sql`${sql.ref(`dated_${table}`)} as (
        update ${sql.table(table)} set ${sql.join(dated)} where ${sql.join(isNew, sql` or `)})`
    })
    const uncounted = ['activity_totals', 'activity_totals_until'].map(
      (table) => sql`${sql.ref(`no_${table}`)} as (delete from ${sql.table(table)})`,
    )
    await sql`with ${sql.join([...updates, ...uncounted])} select`.execute(tx)
  }

  return {
    at: (moment, minutes, done) => work(moment, minutes, done, false),

    issueAt: (moment, done) => work(moment, 1, done, true),

    async countReadings(workspaceId) {
      const { count } = await db
        .selectFrom('activities')
        .select(db.fn.countAll<number>().as('count'))
        .where('workspace_id', '=', workspaceId)
        .where('verb', 'in', ['viewed', 'downloaded'])
        .where('subject_type', '=', 'Asset')
        .executeTakeFirstOrThrow()
      return count
    },

    async addReading(workspace_id, reader, { verb, file }) {
      const act = { act: `file_${verb}`, params: { title: file.title }, subject_id: file.id } as const
      await recordAs(db, workspace_id, doerOf(reader), act)
      if (verb !== 'viewed') return
      const view = { workspace_id, user_id: reader.id, file_id: file.id, viewed_at: sql<Date>`clock_timestamp()` }
      await db
        .insertInto('file_views')
        .values(view)
        .onConflict((found) =>
          found.columns(['workspace_id', 'user_id', 'file_id']).doUpdateSet({ viewed_at: view.viewed_at }),
        )
        .execute()
    },

    async addReadingTimes(workspace_id, { id: user_id }, moment, files) {
      const day = moment.toISOString().slice(0, 10)
      const rows = files.flatMap(({ id: file_id, version, seconds }) =>
        seconds.map((each, at) => ({ workspace_id, user_id, file_id, version, page: at + 1, day, ms: each * 1000 })),
      )
      await db
        .insertInto('reading_times')
        .values(rows.filter(({ ms }) => ms > 0))
        .onConflict((found) => found.doNothing())
        .execute()
    },

    async settleVisits(workspaceId) {
      await sql`
        with act as (
          select user_id, created_at as at from activities where workspace_id = ${workspaceId}
          union all select user_id, created_at from question_entries where workspace_id = ${workspaceId}
        ), paced as (
          select user_id, at, lead(at) over (partition by user_id order by at) - at as pause from act
        ), visit as (
          select user_id, max(at) as at, max(at) filter (where pause >= interval '1 hour') as before
          from paced group by user_id
        )
        update workspace_memberships m set last_active_at = visit.at, previous_visit_at = visit.before
        from visit
        where m.workspace_id = ${workspaceId} and m.user_id = visit.user_id and m.last_active_at <= visit.at`.execute(
        db,
      )
    },

    async admit(organizationId, by, since) {
      const { rows } = await sql`
        select from (
          select organization_id, workspace_id, entry from audit_records
          union all select organization_id, workspace_id, entry from audit_inbox
        ) e
        where organization_id = ${organizationId} and workspace_id = 0 and entry like '%"made the demo:%' limit 1`.execute(
        db,
      )
      if (rows.length > 0) return
      const params = { day: since.toISOString().slice(0, 10) }
      const deed: Deed = { act: 'demo_made', params, subject_id: organizationId }
      await recordForOrganizationAs(db, organizationId, doerOf(by), deed)
    },

    close: () => db.destroy(),
  }
}

/** No request caused these acts, so the trail shows neither address nor request id. */
const doerOf = ({ id, first_name, last_name, email }: User) => ({
  id,
  first_name,
  last_name,
  email,
  ip: '',
  request_id: null,
  personal_key: undefined,
})
