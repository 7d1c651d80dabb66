import { sql } from 'kysely'
import type { Fragment } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { statement } from '../../db/statement.ts'

// The record only grows, so activities before some moment need not be counted again. If the clock of the database is set
// back by more than a minute, the totals become too low.

/** Uncounted activities that cost next to nothing to count. Also keeps small workspaces free of totals. */
const FEW = 250

/** The moment before which the totals of a workspace have all activities. */
export const totalsUntil = (workspaceId: Fragment): Fragment => sql`
  coalesce((select u.until from activity_totals_until u where u.workspace_id = ${workspaceId}), '-infinity')`

/** Whether reading `uncounted` activities behind the totals was so much that the totals should follow. */
export const areTotalsDue = (until: Fragment, uncounted: Fragment): Fragment =>
  sql`(${uncounted} >= ${sql.lit(FEW)} and ${until} < now() - interval '3 minutes')`

interface Filters {
  workspace_id: Fragment
  user_id?: Fragment | undefined
  verb?: Fragment | undefined
  subject_type?: Fragment | undefined
  from?: Fragment | undefined
  to?: Fragment | undefined
}

export function totalOf({ workspace_id, user_id = sql`-1`, verb, subject_type, from, to }: Filters): Fragment {
  const conditions = [sql`t.workspace_id = ${workspace_id} and t.user_id = ${user_id}`]
  if (from || to) conditions.push(sql`t.day >= ${from ?? sql`'0001-01-01'`}::date`)
  else conditions.push(sql`t.day = '-infinity'`)
  if (to) conditions.push(sql`t.day <= ${to}::date`)
  if (verb) conditions.push(sql`t.verb = ${verb}`)
  if (subject_type) conditions.push(sql`t.subject_type = ${subject_type}`)
  return sql`(select coalesce(sum(t.total), 0)::bigint from activity_totals t where ${sql.join(conditions, sql` and `)})`
}

/**
 * The time since which transactions that write may be under way. It is read by a statement of its own: a transaction that
 * commits meanwhile is visible to the next statement. The minute covers small steps of the clock.
 */
const settledRows = statement<object, { until: string }>(
  () => sql`
    select least(now() - interval '1 minute', min(xact_start))::text as until
    from pg_stat_activity where datname = current_database() and backend_xid is not null`,
)

const addRows = statement<{ workspace: number; until: string }, unknown>(
  ({ workspace, until }) => sql`select add_activity_totals(${workspace}::int, ${until}::timestamptz)`,
)

const underWay = new WeakMap<Db, Set<number>>()

/** Adds what was recorded since. The request does not wait for it. If it fails, a later one does it. */
export function keepTotals(db: Db, workspaceId: number): void {
  if (db.isTransaction) return
  const busy = underWay.get(db) ?? new Set()
  underWay.set(db, busy)
  if (busy.has(workspaceId)) return
  busy.add(workspaceId)
  addTotals(db, workspaceId)
    .catch(() => {})
    .finally(() => busy.delete(workspaceId))
}

async function addTotals(db: Db, workspace: number): Promise<void> {
  const [settled] = await settledRows(db, {})
  if (settled) await addRows(db, { workspace, until: settled.until })
}
