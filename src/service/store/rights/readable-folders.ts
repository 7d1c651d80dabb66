import { type RawBuilder, sql } from 'kysely'
import { viewableAmong } from '../../access/grants.ts'
import type { Workspace } from '../../access/scopes.ts'

/**
 * `(id, name, id_path)` of the folders of some rows (`folder_id`) whose files the caller may view, for a join. Each
 * folder is judged once, however many rows are in it.
 */
export function readableFolders(workspace: Workspace, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  const folders = sql`(
    select d.id, d.name, d.id_path from folders d
    where d.workspace_id = ${workspace.id} and d.deleted_at is null and d.id in (select folder_id from ${rows}))`
  const place = sql`place as materialized (select * from ${folders} d)`
  if (workspace.admin) return sql`(with ${place} select * from place)`
  // A plan made before the tables are analyzed may compare all folders with all folders; a full join never does.
  return sql`(
    with ${place}
    select place.* from place full join (select distinct id from (${viewableAmong(workspace, sql`place`)}) any_group) mine on mine.id = place.id
    where coalesce(place.id, -1) >= 0 and coalesce(mine.id, -1) >= 0)`
}
