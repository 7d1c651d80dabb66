import { sql } from 'kysely'
import type { Workspace } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'

export interface RecentActivity {
  id: number
  workspace_id: number
  user_id: number
  verb: string
  subject_type: string | null
  /** By the clock of the database. */
  age_seconds: number
}

/** Of each workspace at most. */
const LIMIT = 200

/**
 * What happened in the last minute in any of some workspaces; one query for all of them. The numbers of activities do not
 * come in order: a transaction may commit after a later one, so whoever looks again must look at the whole minute.
 */
export async function listRecentActivities(db: Db, workspaces: readonly Workspace[]): Promise<RecentActivity[]> {
  const { rows } = await sql<RecentActivity>`
    select a.id, w.id as workspace_id, a.user_id, a.verb, a.subject_type,
      extract(epoch from now() - a.created_at)::float8 as age_seconds
    from unnest(${workspaces.map(({ id }) => id)}::int[]) as w (id)
    cross join lateral (
      select id, user_id, verb, subject_type, created_at from activities
      where workspace_id = w.id and created_at > now() - interval '1 minute'
      order by created_at desc, id desc limit ${LIMIT}
    ) a`.execute(db)
  return rows
}
