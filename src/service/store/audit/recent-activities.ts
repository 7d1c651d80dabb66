import { sql } from 'kysely'
import type { VisibleFolder, Workspace } from '../../access/scopes.ts'
import { leadsToVisible, rightsOf } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'

export interface RecentActivity {
  id: number
  workspace_id: number
  user_id: number
  verb: string
  subject_type: string | null
  subject_id: number | null
  /** Measured by the clock of the database. */
  age_seconds: number
}

/** Maximum number of activities per workspace. */
const LIMIT = 200

/**
 * Lists the activities of the last minute in several workspaces, with one query. Ids of activities do not appear in
 * order: a transaction may commit after a later one. Every look must therefore cover the whole minute.
 */
export async function listRecentActivities(db: Db, workspaces: readonly Workspace[]): Promise<RecentActivity[]> {
  const { rows } = await sql<RecentActivity>`
    select a.id, w.id as workspace_id, a.user_id, a.verb, a.subject_type, a.subject_id,
      extract(epoch from now() - a.created_at)::float8 as age_seconds
    from unnest(${workspaces.map(({ id }) => id)}::int[]) as w (id)
    cross join lateral (
      select id, user_id, verb, subject_type, subject_id, created_at from activities
      where workspace_id = w.id and created_at > now() - interval '1 minute'
      order by created_at desc, id desc limit ${LIMIT}
    ) a`.execute(db)
  return rows
}

/**
 * Returns which of the given activities are about files or folders that the groups can see, or could see before the
 * act.
 */
export async function listVisibleActivities(
  db: Db,
  { workspace_id, group_ids }: { workspace_id: number; group_ids: readonly number[] },
  ids: readonly number[],
): Promise<Set<number>> {
  const idPath = sql`d.id_path`
  const { rows } = await sql<{ id: number }>`
    select a.id from activities a
    left join files f on a.subject_type = 'Asset' and f.workspace_id = a.workspace_id and f.id = a.subject_id
    left join folders d on d.workspace_id = a.workspace_id and d.deleted_at is null
      and d.id = case when a.subject_type = 'Folder' then a.subject_id else f.folder_id end
    where a.workspace_id = ${workspace_id} and a.id = any(${ids}::int[]) and (
      a.seen_by_group_ids && ${group_ids}::int[]
      or d.id is not null and ((select view from ${rightsOf(workspace_id, group_ids, idPath)} r)
        or a.subject_type = 'Folder' and ${leadsToVisible(workspace_id, group_ids, idPath)}))`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Groups whose members can see a folder, or the files in it. */
export async function listSeeingGroups(
  db: Db,
  { workspace, id_path }: VisibleFolder,
  what: 'folder' | 'files',
): Promise<number[]> {
  const idPath = sql`${id_path}::int[]`
  const own = sql<number[]>`array[g.id]`
  const leads = what === 'folder' ? leadsToVisible(workspace.id, own, idPath) : sql`false`
  const { rows } = await sql<{ id: number }>`
    select g.id from groups g
    where g.workspace_id = ${workspace.id} and (${leads} or (select view from ${rightsOf(workspace.id, own, idPath)} r))
    order by g.id`.execute(db)
  return rows.map(({ id }) => id)
}
