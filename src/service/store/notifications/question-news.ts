import { sql } from 'kysely'
import { isUnsettled } from '../../access/experts.ts'
import { type Fragment, type Id, isWorkspaceAdmin } from '../../access/sql.ts'
import { visibleQuestions } from '../../access/visible-questions.ts'
import { isNewToAdmin, repliesTo } from '../news/other-news.ts'

/** Why a question is news: to admins what awaits them, the most urgent first, and to askers whose answer it is. */
export const QUESTION_NEWS = ['to_approve', 'assigned', 'replied', 'asked', 'answered', 'published', 'faq'] as const
export type QuestionNews = (typeof QUESTION_NEWS)[number]

/** A member whom a statement reads, with their standing of this moment. */
export interface NewsReader {
  user_id: Fragment
  admin: Fragment
  group_ids: Fragment
  since: Fragment
}

/**
 * `(id, subject, news, number, group_name, at)` of the questions of a workspace that are news to a member since a time, for
 * a lateral join; each once. Askers get the answers that they may read now and have not read, without number and group,
 * which would tell of others. Experts are mailed when a question is passed to them.
 */
export function questionNewsFor(workspaceId: Id, reader: NewsReader): Fragment {
  const { user_id, admin, group_ids, since } = reader
  const asker = { id: workspaceId, admin: false, group_ids }
  return sql`(
    select q.id, q.subject, case when q.own then 'answered' when q.shown_faq then 'faq' else 'published' end as news,
      null::int as number, null::text as group_name, q.answered_at as at
    from ${visibleQuestions(asker, { only: sql`q.status = 'answered'` })} q where not ${admin} and q.answered_at > ${since}
      and not exists (select from question_views v where v.workspace_id = ${workspaceId} and v.user_id = ${user_id}
        and v.question_id = q.id and v.viewed_at >= q.answered_at)
    union all select * from (
      select distinct on (q.id) q.id, q.subject, way.news, q.number, q.group_name, way.at
      from (${waysToAdmin(workspaceId, reader)}) way
      join questions q on q.workspace_id = ${workspaceId} and q.id = way.id
      where ${admin} and way.at > ${since}
      order by q.id, array_position(${QUESTION_NEWS}::text[], way.news)
    ) awaiting)`
}

/** `(id, news, at)` of what others did with questions that await an admin, once for each of its reasons. */
const waysToAdmin = (workspaceId: Id, { user_id, since }: NewsReader) => sql`
  select q.id, 'asked' as news, q.asked_at as at from questions q
  where q.workspace_id = ${workspaceId} and ${isNewToAdmin(user_id, since)}
  union all
  select q.id, 'assigned', q.assigned_at from questions q
  where q.workspace_id = ${workspaceId} and q.status in ('open', 'draft') and q.assignee_id = ${user_id} and q.assigned_by <> ${user_id}
  union all
  select p.question_id, 'replied', p.at from ${repliesTo(workspaceId, user_id)} p
  join questions q on q.workspace_id = ${workspaceId} and q.id = p.question_id and ${isUnsettled}
  union all
  select q.id, 'to_approve', begun.at from questions q cross join lateral (
    select e.created_at as at, e.user_id as by from question_entries e
    where e.workspace_id = q.workspace_id and e.question_id = q.id and e.kind = 'submitted'
    union all select q.approver_at, q.approver_by where q.approver_id = ${user_id}
    order by at desc nulls last limit 1
  ) begun
  where q.workspace_id = ${workspaceId} and q.status = 'to_approve' and begun.by <> ${user_id}
    and (q.approver_id = ${user_id} or q.approver_id is null or not ${isWorkspaceAdmin(workspaceId, sql`q.approver_id`)})`

/**
 * `(group_id, at)`: when a group was last told an answer of the workspace; null for an answer to all. A member without a
 * later row for any of their groups has no news of answers, so that most members need no closer look.
 */
export const answersTold = (workspaceId: Id): Fragment => sql`
  select told.group_id, max(told.at) as at from (
    select q.group_id, q.answered_at as at from questions q
    where q.workspace_id = ${workspaceId} and q.status = 'answered' and q.group_id is not null
    union all select r.group_id, greatest(q.answered_at, r.told_at) from question_receivers r
    join questions q on q.workspace_id = r.workspace_id and q.id = r.question_id and q.status = 'answered'
    where r.workspace_id = ${workspaceId}
    union all select null, greatest(q.answered_at, q.told_all_at) from questions q
    where q.workspace_id = ${workspaceId} and q.status = 'answered' and q.reach = 'all'
  ) told group by told.group_id`

/**
 * `(at)`: when anything was last done with a question of a workspace, or one was asked. Only admins may know: it must not
 * decide when others get their mails.
 */
export const newestOfQuestions = (workspaceId: Fragment): Fragment => sql`(
  select greatest(
    (select e.created_at from question_entries e where e.workspace_id = ${workspaceId} order by e.id desc limit 1),
    (select q.asked_at from questions q where q.workspace_id = ${workspaceId} order by q.number desc limit 1)) as at)`
