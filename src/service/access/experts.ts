import { type RawBuilder, sql } from 'kysely'
import type { Workspace } from './scopes.ts'
import { type Fragment, type Id, isActive, isWorkspaceAdmin } from './sql.ts'

// The facts that decide what experts see of questions, as SQL. Having been passed a question is not enough: each reading
// also asks whether anything bars the expert by now.

export type ExpertBar = 'admin' | 'asks' | 'no_access'

/**
 * Whether a user is in a group that may ask, or for which questions were asked. Groups whose access has ended count too:
 * bidders must not learn of each other.
 */
const isOfAskers = (workspaceId: Id, userId: Id): RawBuilder<boolean> => sql`exists (
  select from group_memberships of_asker join question_groups asking on asking.workspace_id = of_asker.workspace_id
    and asking.group_id = of_asker.group_id
  where of_asker.workspace_id = ${workspaceId} and of_asker.user_id = ${userId} and (asking.may_ask or asking.last_number > 0))`

/** Whether a group other than that of all members lets the user in today. */
const hasAccess = (workspaceId: Id, userId: Id, today: string | Fragment): RawBuilder<boolean> => sql`exists (
  select from group_memberships of_group join groups lasting on lasting.workspace_id = of_group.workspace_id
    and lasting.id = of_group.group_id
  where of_group.workspace_id = ${workspaceId} and of_group.user_id = ${userId} and lasting.kind <> 'all_members'
    and ${isActive('lasting', today)})`

/** What bars a member from being passed questions on a day, and from reading those that were; null if nothing does. */
export const expertBar = (
  workspaceId: Id,
  userId: Id,
  today: string | Fragment,
): RawBuilder<ExpertBar | null> => sql`case when ${isWorkspaceAdmin(workspaceId, userId)} then 'admin'
  when ${isOfAskers(workspaceId, userId)} then 'asks' when not ${hasAccess(workspaceId, userId, today)} then 'no_access' end`

/** Passes `p` of questions to an expert who reads them on a day: none while anything bars the expert. */
export const passesTo = ({ id }: Workspace, userId: number, today: string): Fragment => sql`(
  select passed.* from question_passes passed where passed.workspace_id = ${id} and passed.user_id = ${userId}
    and (${expertBar(id, userId, today)}) is null)`

/** Whether the question `q` is still worked on. */
export const isUnsettled = sql<boolean>`q.status in ('to_approve', 'open', 'draft')`

/** Whether the question `q` waits for the expert of its pass `p`, unless the expert is barred. */
export const isWaiting = sql<boolean>`(p.replied_at is null and ${isUnsettled})`
