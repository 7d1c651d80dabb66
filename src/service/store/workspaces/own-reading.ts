import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { rightsAmong } from '../../access/grants.ts'
import type { Workspace } from '../../access/scopes.ts'
import { alongPaths, viewedRanges } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'

type Reading = NonNullable<Reply<Api['workspaces']['getWelcome']>['reading']>
type Terms = Reply<Api['workspaces']['getWelcome']>['terms']

/** Folders and files that are looked through, at most. */
const MOST = 20_000

/** Counts the files that the caller may view; null for admins, who may view all, and where there are too many to count. */
export async function countReading(db: Db, workspace: Workspace): Promise<Reading | null> {
  if (workspace.admin) return null
  const { id, actor, group_ids } = workspace
  const { rows } = await sql<Reading & { counted: boolean }>`
    with place as materialized (
      select distinct found.id, found.id_path from (
        select d.id, d.id_path from unnest(${group_ids}::int[]) mine (group_id)
        cross join lateral ${viewedRanges(id, sql`mine.group_id`)} range
        cross join lateral (select d.id, d.id_path from folders d where d.workspace_id = ${id} and d.deleted_at is null
          and d.id_path >= range.first and d.id_path < range.beyond offset 0) d
        limit ${sql.lit(MOST + 1)}
      ) found
    ), file as materialized (
      select f.id, f.folder_id from place cross join lateral (
        select f.id, f.folder_id from files f
        where f.workspace_id = ${id} and f.folder_id = place.id and f.deleted_at is null and not f.held offset 0
      ) f limit ${sql.lit(MOST + 1)}
    ), step as materialized (select w.id, w.on_path, w.depth from ${alongPaths(sql`place`)} w
    ), mine as materialized (
      select r.id, r.download from ${rightsAmong(workspace, { steps: sql`step`, onPaths: sql`array(select on_path from step)` })} r
    )
    select count(*)::int as viewable, count(*) filter (where mine.download)::int as downloadable,
      count(*) filter (where exists (select from file_views v
        where v.workspace_id = ${id} and v.user_id = ${actor.id} and v.file_id = file.id))::int as opened,
      count(*) <= ${sql.lit(MOST)} and (select count(*) from place) <= ${sql.lit(MOST)} as counted
    from file left join mine on mine.id = file.folder_id`.execute(db)
  if (!rows[0]?.counted) return null
  const { viewable, downloadable, opened } = rows[0]
  return { viewable, downloadable, opened }
}

/** The terms in force that the caller has accepted, with the time of the latest answer. */
export async function listAcceptedTerms(db: Db, { id, actor }: Workspace): Promise<Terms> {
  const { rows } = await sql<Terms[number]>`
    select t.title, t.version, max(a.answered_at) as accepted_at
    from workspace_memberships m join terms_versions t on t.workspace_id = m.workspace_id and t.id = any(m.accepted_terms)
    join terms_answers a on a.workspace_id = m.workspace_id and a.user_id = m.user_id and a.terms_id = t.id and a.accepted
    where m.workspace_id = ${id} and m.user_id = ${actor.id} and t.withdrawn_at is null
    group by t.id, t.title, t.version order by t.id`.execute(db)
  return rows
}
