import { type RawBuilder, sql } from 'kysely'
import { awaits } from '../questions/whose-turn.ts'

/**
 * `(id, title)` of the files of a workspace whose documents `d` cannot be shown. `offset 0`: by estimates alone, all files
 * would be read where many share one document.
 */
export const failedFiles = (id: number, only: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> => sql`
  select f.id, f.title from documents d cross join lateral (
    select v.file_id, v.version from file_versions v
    where v.workspace_id = d.workspace_id and v.blob_id = d.blob_id offset 0
  ) v cross join lateral (
    select f.id, f.title from files f where f.workspace_id = d.workspace_id and f.id = v.file_id
      and f.version = v.version and f.deleted_at is null offset 0
  ) f where d.workspace_id = ${id} and d.reason is not null and ${only}`

/** `(id, organization_id, user_id)` of the members `m` of a workspace. */
export const membersWhere = (id: number, condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select m.id, m.organization_id, m.user_id from workspace_memberships m where m.workspace_id = ${id} and ${condition}`

export const nameOfMember: RawBuilder<unknown> = sql`(
  select coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) from users u
  where u.organization_id = newest.organization_id and u.id = newest.user_id)`

/**
 * `(overdue, to_approve, to_answer)` of the questions that a user is to answer or, once they are to be approved, to approve, each
 * as `Named`. One pass over the questions of the workspace: there may be many of them.
 */
export function awaitedQuestions(
  id: number,
  userId: number,
  { today, mayRead, most }: { today: string; mayRead: boolean; most: number },
): RawBuilder<unknown> {
  const named = (
    kind: string,
  ) => sql`json_build_object('count', count(*) filter (where kind = ${sql.lit(kind)}), 'names',
    coalesce(json_agg(subject order by number desc) filter (where kind = ${sql.lit(kind)} and rank <= ${sql.lit(most)}), '[]'))`
  return sql`(
    select ${named('overdue')} as overdue, ${named('to_approve')} as to_approve, ${named('to_answer')} as to_answer
    from (
      select q.*, row_number() over (partition by q.kind order by q.number desc) as rank from (
        select q.number, q.subject, case when q.due_on < ${today}::date then 'overdue'
          when q.status = 'to_approve' then 'to_approve' else 'to_answer' end as kind
        from questions q where q.workspace_id = ${id} and ${mayRead} and ${awaits(sql`${userId}::int`)}
      ) q
    ) ranked)`
}

/** `(id, name)` of the drafts that a plan did not publish. */
export const failedDrafts = (id: number): RawBuilder<unknown> => sql`
  select d.id, d.name from draft_schedules s join folders d on d.workspace_id = s.workspace_id and d.id = any(s.folder_ids)
  where s.workspace_id = ${id} and s.problem is not null and d.is_draft and d.deleted_at is null`

/** `(id, name)` of the drafts that no plan is to publish, and that none failed to. */
export const unplannedDrafts = (id: number): RawBuilder<unknown> => sql`
  select d.id, d.name from folders d where d.workspace_id = ${id} and d.is_draft and d.deleted_at is null and not exists (
    select from draft_schedules s where s.workspace_id = d.workspace_id and d.id = any(s.folder_ids))`

/** `(id, name)` of the draft groups in which somebody waits. */
export const awaitedGroups = (id: number, mayRead: boolean): RawBuilder<unknown> => sql`
  select g.id, g.name from groups g where g.workspace_id = ${id} and ${mayRead} and g.is_draft and exists (
    select from draft_memberships w where w.workspace_id = g.workspace_id and w.group_id = g.id)`

/** What stands for some of several rows: `names` of the newest. */
export interface Named<Name = string> {
  count: number
  names: Name[]
}

/** The number of some rows with an id, and what names the newest of them, as `Named`. */
export const firstOf = (
  rows: RawBuilder<unknown>,
  name: RawBuilder<unknown>,
  most: number,
): RawBuilder<unknown> => sql`(
  with each as materialized (${rows})
  select json_build_object('count', (select count(*) from each), 'names',
    array(select ${name} from (select * from each order by id desc limit ${sql.lit(most)}) newest order by newest.id desc)))`
