import { type RawBuilder, sql } from 'kysely'
import { viewableAmong } from './grants.ts'
import type { Workspace } from './scopes.ts'

/**
 * The questions that the caller may see now, with `own`, `shown_status`, `shown_at` and the names of their places. To
 * others than admins these are questions of their groups and answers published to them, each only while they may view
 * the file or folder that it is on.
 */
export function visibleQuestions(workspace: Workspace, only: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> {
  const { id, admin, group_ids } = workspace
  const own = isOwn(workspace)
  const questions = sql`
    select q.*, ${own} as own, f.title as file_title, coalesce(f.folder_id, q.folder_id) as at_folder_id,
      q.file_id is not null and (f.id is null or f.deleted_at is not null) as file_gone
    from questions q left join files f on f.workspace_id = q.workspace_id and f.id = q.file_id
    where q.workspace_id = ${id} and ${only}`
  if (admin) {
    return sql`(
      select q.*, q.status as shown_status, q.asked_at as shown_at, d.name as folder_name,
        q.file_gone or d.id is null or d.deleted_at is not null as place_gone
      from (${questions}) q left join folders d on d.workspace_id = ${id} and d.id = q.at_folder_id)`
  }
  const folders = sql`(select d.id, d.name, d.id_path from folders d where d.workspace_id = ${id}
    and d.deleted_at is null and d.id in (select at_folder_id from told))`
  return sql`(
    with told as materialized (
      select * from (${questions} and (${own} or (q.status = 'answered' and ${isPublishedTo(group_ids)}))) q
      where not file_gone
    ), place as materialized (select d.id, d.name from ${folders} d where d.id in (${viewableAmong(workspace, folders)}))
    select told.*, case when status in ('to_approve', 'draft') then 'open' else status end as shown_status,
      case when own then asked_at else answered_at end as shown_at, place.name as folder_name, false as place_gone
    from told left join place on place.id = told.at_folder_id
    where (told.file_id is null and told.folder_id is null) or place.id is not null)`
}

/** Whether a group of the caller asked the question `q`. */
export const isOwn = ({ group_ids }: Workspace): RawBuilder<unknown> =>
  sql`coalesce(q.group_id = any(${group_ids}::int[]), false)`

/** Whoever is only in the group of all members has no access that lasts, and reads nothing. */
const isPublishedTo = (groupIds: readonly number[]) => sql`exists (
  select from groups g where g.workspace_id = q.workspace_id and g.id = any(${groupIds}::int[]) and g.kind <> 'all_members'
    and (q.reach = 'all' or (q.reach = 'groups' and exists (select from question_receivers r
      where r.workspace_id = q.workspace_id and r.question_id = q.id and r.group_id = g.id))))`
