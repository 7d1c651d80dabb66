import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

/**
 * The record only grows, so acts up to some moment need not be counted again. That moment stays minutes behind, longer
 * than any transaction may take to commit (see the timeouts of pool.ts). If the clock of the database is set back
 * further than that, the totals of a running node become too low.
 */
interface Settled {
  /** Exclusive. */
  until: string
  count: number
}

const MAX_REMEMBERED = 10_000
const remembered = new WeakMap<Db, Map<string, Settled>>()

/**
 * Counts the activities of a workspace, or of one user in it, without reading the old ones again. `connection` belongs to
 * `db`, which remembers.
 */
export async function countActivities(db: Db, workspaceId: number, userId?: number, connection = db): Promise<number> {
  const totals = totalsOf(db)
  const key = `${workspaceId} ${userId ?? ''}`
  const settled = totals.get(key) ?? { until: '-infinity', count: 0 }
  const { rows } = await sql<{ until: string; settling: number; recent: number }>`
    with settling as (select date_trunc('milliseconds', now() - interval '5 minutes') as until)
    select max(s.until) as until, count(a.id) filter (where a.created_at < s.until) as settling, count(a.id) as recent
    from settling s
    left join activities a on a.workspace_id = ${workspaceId} and a.created_at >= ${settled.until}::timestamptz
      and ${userId === undefined ? sql`true` : sql`a.user_id = ${userId}`}`.execute(connection)
  const { until, settling, recent } = rows[0] ?? { until: settled.until, settling: 0, recent: 0 }
  if (until > settled.until || settled.until === '-infinity') {
    remember(totals, key, { until, count: settled.count + settling })
  }
  return settled.count + recent
}

function totalsOf(db: Db): Map<string, Settled> {
  const known = remembered.get(db)
  if (known) return known
  const totals = new Map<string, Settled>()
  remembered.set(db, totals)
  return totals
}

/** Keeps the most recently used. */
function remember(totals: Map<string, Settled>, key: string, settled: Settled): void {
  totals.delete(key)
  totals.set(key, settled)
  const oldest = totals.keys().next()
  if (totals.size > MAX_REMEMBERED && !oldest.done) totals.delete(oldest.value)
}
