import { type RawBuilder, sql } from 'kysely'
import { viewableAmong } from './grants.ts'
import type { Reader } from './scopes.ts'

/** Without the texts, which would fill the memory of a list. */
const COLUMNS = sql`q.workspace_id, q.id, q.number, q.group_id, q.group_number, q.group_name, q.status, q.priority, q.category,
  q.subject, q.asked_by, q.asked_at, q.file_id, q.page_number, q.folder_id, q.assignee_id, q.due_on, q.faq`

interface Which {
  id?: string
  /** A condition on the columns of `questions`, named `q`. */
  only?: RawBuilder<unknown>
}

/**
 * The questions that the caller may see now, with `own`, `shown_status`, `shown_at`, `shown_faq` and the names of their places. To
 * others than admins these are questions of their groups and answers published to them, each only while they may view
 * the file or folder that it is on, and `answered_at` is not before the caller could read the answer.
 */
export function visibleQuestions(workspace: Reader, { id: oneId, only = sql`true` }: Which = {}): RawBuilder<unknown> {
  const { id, admin } = workspace
  const own = isOwn(workspace)
  const one = oneId === undefined ? sql`true` : sql`q.id = ${oneId}::uuid`
  // Row by row: the time of an answer must not tell how much others ask.
  const all = admin
    ? sql`questions q`
    : sql`(${toldTo(workspace, one)}) t cross join lateral (
        select * from questions q where q.workspace_id = ${id} and q.id = t.id offset 0) q`
  const questions = sql`
    select ${COLUMNS}, ${admin ? sql`q.answered_at` : sql`nullif(greatest(q.answered_at, t.told_at), '-infinity')`} as answered_at, ${own} as own, ${isFaq(workspace)} as shown_faq, f.title as file_title, coalesce(f.folder_id, q.folder_id) as at_folder_id,
      q.file_id is not null and (f.id is null or f.deleted_at is not null) as file_gone
    from ${all} left join files f on f.workspace_id = ${id} and f.id = q.file_id
    where q.workspace_id = ${id} and ${one} and ${only}`
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
      select * from (${questions} and (${own} or (q.status = 'answered' and q.reach <> 'group'))) q
      where not file_gone
    ), place as materialized (select d.id, d.name from ${folders} d where d.id in (${viewableAmong(workspace, folders)}))
    select told.*, case when status in ('to_approve', 'draft') then 'open' else status end as shown_status,
      case when own then asked_at else answered_at end as shown_at, place.name as folder_name, false as place_gone
    from told left join place on place.id = told.at_folder_id
    where (told.file_id is null and told.folder_id is null) or place.id is not null)`
}

/** Whether a group of the caller asked the question `q`. */
export const isOwn = ({ group_ids }: Reader): RawBuilder<unknown> =>
  sql`coalesce(q.group_id = any(${group_ids}::int[]), false)`

/**
 * Whether the answered question `q` is one of the FAQ of its receivers. To its asker it is one only if it was given to all:
 * otherwise the mark would tell that there are other groups.
 */
export const isFaq = (workspace: Reader): RawBuilder<unknown> => sql`(q.faq is not null and q.status = 'answered'
  and (q.reach = 'all' or (q.reach = 'groups' and ${workspace.admin ? sql`true` : sql`not ${isOwn(workspace)}`})))`

/**
 * Questions of the caller's groups, and those published to them, each with the time since when the caller knows it:
 * `(id, told_at)`. Whoever is only in the group of all members has no access that lasts, and reads nothing.
 */
function toldTo({ id, group_ids }: Reader, one: RawBuilder<unknown>): RawBuilder<unknown> {
  const lasting = sql`from groups g where g.workspace_id = ${id} and g.id = any(${group_ids}::int[])
    and g.kind <> 'all_members'`
  const since = (time: RawBuilder<unknown>) => sql`coalesce(${time}, '-infinity'::timestamptz) as told_at`
  const known = sql`from questions q where q.workspace_id = ${id} and ${one}`
  return sql`
    select way.id, min(way.told_at) as told_at from (
      select q.id, ${since(sql`null`)} ${known} and q.group_id = any(${group_ids}::int[]) union all
      select q.id, ${since(sql`q.told_all_at`)} ${known} and q.reach = 'all' and exists (select ${lasting}) union all
      select q.id, ${since(sql`q.told_at`)} from (
        select question_id as id, told_at from question_receivers where workspace_id = ${id}
          and group_id in (select g.id ${lasting})
      ) q where ${one}
    ) way group by way.id`
}
