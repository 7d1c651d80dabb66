import { type RawBuilder, sql } from 'kysely'
import { hasScope } from '../../access/enter/organization.ts'
import { isUnsettled, passesTo } from '../../access/experts.ts'
import type { Workspace } from '../../access/scopes.ts'
import { type Fragment, type Id, grantsAnywhere, isWorkspaceAdmin } from '../../access/sql.ts'
import { visibleQuestions } from '../../access/visible-questions.ts'
import { todayOf } from '../../auth/actor.ts'
import { CHANGED_ACCESS, changesEnd, isNewAccess } from './changes.ts'
import { readUpTo } from './changed-files.ts'

/** Changes of the access of groups that are read. */
const MOST_ACTS = 500

/**
 * `(id, subject, status, at, expert, unread)` of questions: to askers the answers that they may read, to experts what was
 * passed to them, to workspace admins what others have asked and nobody has begun to answer, and replies of experts whom
 * they asked, or whom one asked who is no admin any more.
 */
export function newQuestions(workspace: Workspace, since: string): RawBuilder<unknown> {
  const { id, admin, actor } = workspace
  const asked = isNewToAdmin(sql`${actor.id}::int`, sql`${since}::timestamptz`)
  const answered = sql`q.status = 'answered'`
  const may = hasScope(actor, 'questions:read')
  const only = !may ? sql`false` : admin ? asked : answered
  return sql`(
    select q.*, q.at > ${readUpTo(workspace)} and not exists (
      select from question_views v where v.workspace_id = ${id} and v.user_id = ${actor.id} and v.question_id = q.id
        and v.viewed_at >= q.at) as unread
    from (
      select q.id, q.subject, q.shown_status as status, ${admin ? sql`q.asked_at` : sql`q.answered_at`} as at, null::text as expert
      from ${visibleQuestions(workspace, { only })} q
      union all select q.id, q.subject, ${admin ? sql`q.status` : sql`'open'`}, p.at, ${admin ? 'replied' : 'asked'}::text
      from ${admin ? repliesTo(id, sql`${actor.id}::int`) : passesNow(workspace)} p
      join questions q on q.workspace_id = ${id} and q.id = p.question_id and ${isUnsettled}
      where ${may} and p.at > ${since}::timestamptz
    ) q where q.at > ${since}::timestamptz)`
}

const passesNow = (workspace: Workspace) => sql`(
  select p.question_id, p.asked_at as at from ${passesTo(workspace, workspace.actor.id, todayOf(workspace.actor))} p)`

/** Whether the question `q` was asked by others than an admin since a time, and nobody has begun to answer it. */
export const isNewToAdmin = (userId: Fragment, since: Fragment): RawBuilder<boolean> =>
  sql`(q.status = 'open' and q.asked_by <> ${userId} and q.asked_at > ${since})`

/** `(question_id, at)` of the replies of experts that concern an admin. */
export const repliesTo = (workspaceId: Id, userId: Fragment): RawBuilder<unknown> => sql`(
  select p.question_id, p.replied_at as at from question_passes p where p.workspace_id = ${workspaceId}
    and (p.asked_by = ${userId} or not ${isWorkspaceAdmin(workspaceId, sql`p.asked_by`)}))`

/**
 * `(change, at, unread)` of the caller's own access, each kind once: a new group, more rights, another end. Nothing is told
 * of a group from before the caller was in it, nothing while no group lets the caller view anything, and nothing of rights
 * that were taken back: it would tell that there is something the caller does not see.
 */
export function changedAccess(workspace: Workspace, since: string): RawBuilder<unknown> {
  const { id, admin, actor } = workspace
  const tells = !admin && hasScope(actor, 'groups:read')
  const groups = sql`${workspace.group_ids}::int[]`
  return sql`(
    select own.change, max(own.at) as at, max(own.at) > ${readUpTo(workspace)} as unread
    from (
      select case when ${changesEnd} then 'end' else 'granted' end as change, a.created_at as at
      from (
        select a.* from activities a where a.workspace_id = ${id} and a.created_at > ${since}::timestamptz
          and ${CHANGED_ACCESS} and ${isNewAccess} and a.subject_id = any(${groups}) and a.user_id <> ${actor.id}
        order by a.created_at desc, a.id desc limit ${MOST_ACTS}
      ) a join group_memberships gm on gm.workspace_id = ${id} and gm.group_id = a.subject_id and gm.user_id = ${actor.id}
      where gm.created_at < a.created_at
      union all select 'group', gm.created_at from group_memberships gm
      join groups g on g.workspace_id = gm.workspace_id and g.id = gm.group_id and g.kind = 'custom'
      where gm.workspace_id = ${id} and gm.user_id = ${actor.id} and gm.group_id = any(${groups})
        and gm.created_at > ${since}::timestamptz
    ) own
    where ${tells} and exists (select from groups g where g.workspace_id = ${id} and g.id = any(${groups})
      and ${grantsAnywhere('g', 'view')})
    group by own.change)`
}
