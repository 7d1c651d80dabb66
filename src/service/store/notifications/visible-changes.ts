import { sql } from 'kysely'
import { type Fragment, grantsAnywhere, nearestOnSteps, standingIn } from '../../access/sql.ts'
import { CHANGED_ACCESS, CHANGED_FILE, isNewAccess } from '../news/changes.ts'

/** The newest changes of files, and of access, that are read for a mail. */
export const MOST_ACTS = 5000

/** Parts of a statement with what may concern the members of its part `candidate`, `(user_id, since)`. */
export function partsOfChanges(workspaceId: number, until: string): Fragment {
  const id = sql`${workspaceId}::int`
  const between = sql`a.workspace_id = ${id} and a.created_at <= ${until}::timestamptz
    and a.created_at > (select min(since) from candidate)`
  return sql`
    changed_file as materialized (
      select a.user_id, a.created_at as at, f.folder_id from (
        select a.user_id, a.subject_id, a.created_at from activities a where ${between} and ${CHANGED_FILE}
        order by a.created_at desc, a.id desc limit ${MOST_ACTS}
      ) a cross join lateral (select f.folder_id from files f where f.workspace_id = ${id} and f.id = a.subject_id
        and f.deleted_at is null and not f.held offset 0) f
    ), changed_step as materialized (
      select d.id, s.on_path, s.depth from (select d.id, d.id_path from folders d where d.workspace_id = ${id}
        and d.deleted_at is null and d.id = any(array(select folder_id from changed_file))) d
      cross join unnest(d.id_path) with ordinality s (on_path, depth)
    ), changed_place as materialized (
      select nearest.id, nearest.group_id from ${nearestOnSteps(
        workspaceId,
        sql`array(select distinct gm.group_id from candidate c join group_memberships gm on gm.workspace_id = ${id}
          and gm.user_id = c.user_id)`,
        sql`changed_step`,
        sql`array(select on_path from changed_step)`,
      )} nearest where nearest.view
    ), changed_access as materialized (
      select a.user_id, a.created_at as at, a.subject_id as group_id from activities a where ${between} and ${CHANGED_ACCESS}
        and ${isNewAccess} order by a.created_at desc, a.id desc limit ${MOST_ACTS}
    )`
}

/**
 * `(newest, oldest)`: when others last and first changed a file that a member may view, or the member's access, since a
 * time. Without rows elsewhere in the workspace: the time of a mail must not tell what its reader may not see.
 */
export function visibleChanges(
  workspaceId: number,
  member: { user_id: Fragment; since: Fragment; applies: Fragment },
  { until, today }: { until: string; today: string },
): Fragment {
  const id = sql`${workspaceId}::int`
  const { user_id, since, applies } = member
  return sql`(
    select max(own.at) as newest, min(own.at) as oldest
    from ${standingIn(id, user_id, today)} standing cross join lateral (
      select c.at from changed_file c where c.user_id <> ${user_id} and c.at > ${since} and (standing.admin or exists (
        select from changed_place p where p.id = c.folder_id and p.group_id = any(standing.group_ids)))
      union all select access.at from (
        select c.at from changed_access c join group_memberships gm on gm.workspace_id = ${id} and gm.group_id = c.group_id
          and gm.user_id = ${user_id} and gm.created_at < c.at
        where c.group_id = any(standing.group_ids) and c.user_id <> ${user_id} and c.at > ${since}
        union all select gm.created_at from group_memberships gm join groups g on g.workspace_id = gm.workspace_id
          and g.id = gm.group_id and g.kind = 'custom'
        where gm.workspace_id = ${id} and gm.user_id = ${user_id} and gm.group_id = any(standing.group_ids)
          and gm.created_at > ${since} and gm.created_at <= ${until}::timestamptz
      ) access
      where not standing.admin and exists (select from groups g where g.workspace_id = ${id}
        and g.id = any(standing.group_ids) and ${grantsAnywhere('g', 'view')})
    ) own
    where ${applies})`
}
