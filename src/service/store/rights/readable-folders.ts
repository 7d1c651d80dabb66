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
  // A plan made before the tables are analyzed may compare all folders with all folders, or read them for each row.
  const readable = workspace.admin ? sql`true` : sql`d.id in (${viewableAmong(workspace, sql`place`)})`
  return sql`(
    with place as materialized (select * from ${folders} d), readable as materialized (
      select * from place d where ${readable}
    ) select * from readable)`
}
