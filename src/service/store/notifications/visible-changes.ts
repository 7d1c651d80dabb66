import { sql } from 'kysely'
import { type Fragment, grantsAnywhere, nearestOnSteps } from '../../access/sql.ts'
import { CHANGED_ACCESS, CHANGED_FILE, changesEnd, isNewAccess } from '../news/changes.ts'

/** Stands for the groups of admins, who view everything. */
const ADMINS = sql.lit(-1)

/**
 * Parts of a statement with what may be news to the members of its part `person` (`user_id, admin, group_ids, since, until`). Members to
 * whom the same files are news are one reader: they have the same groups, changed no file themselves, and no change came
 * between their times, for which `moment` has that of the last change before.
 * `as_reader` names the reader of each, and `fresh` has the files `(reader, id, newest, oldest)` that others changed in that
 * time and that the reader may view, with the times of the changes. All changes count: those of files that a reader does
 * not see must not displace others.
 */
export function partsOfChanges(workspaceId: number): Fragment {
  const id = sql`${workspaceId}::int`
  const between = sql`a.workspace_id = ${id} and a.created_at <= (select max(until) from person)
    and a.created_at > (select min(since) from person)`
  return sql`
    change as materialized (
      select a.subject_id, a.user_id, a.created_at as at from activities a where ${between} and ${CHANGED_FILE}
    ), changed_file as materialized (
      select f.id, f.folder_id from (select distinct subject_id from change) c
      cross join lateral (select * from files f where f.workspace_id = ${id} and f.id = c.subject_id offset 0) f
      where f.deleted_at is null and not f.held
    ), changed_step as materialized (
      select d.id, s.on_path, s.depth from (select distinct folder_id from changed_file) f
      cross join lateral (select * from folders d where d.workspace_id = ${id} and d.id = f.folder_id offset 0) d
      cross join unnest(d.id_path) with ordinality s (on_path, depth)
      where d.deleted_at is null
    ), moment as materialized (
      select user_id, coalesce(max(changed_at) over (order by at, user_id nulls first), '-infinity') as since from (
        select null::int as user_id, at, at as changed_at from change union all select user_id, since, null from person
      ) m
    ), as_reader as materialized (
      select p.*, dense_rank() over (order by p.admin, p.group_ids, p.since, p.until, p.own)::int as reader
      from (select p.user_id, p.admin, case when p.admin then '{}' else p.group_ids end as group_ids, m.since, p.until,
        case when p.user_id = any(array(select distinct user_id from change)) then p.user_id else -1 end as own
        from person p join moment m on m.user_id = p.user_id) p
    ), reader as materialized (
      select distinct reader, admin, group_ids, since, until, own from as_reader
    ), changed_place as materialized (
      select nearest.id, nearest.group_id from ${nearestOnSteps(
        workspaceId,
        sql`array(select distinct unnest(group_ids) from reader)`,
        sql`changed_step`,
        sql`array(select distinct on_path from changed_step)`,
      )} nearest where nearest.view
    ), reach as materialized (
      select distinct r.reader, r.since, r.until, r.own, p.id as folder_id from reader r
      join changed_place p on p.group_id = any(r.group_ids) where not r.admin
      union all select r.reader, r.since, r.until, r.own, d.id from reader r cross join (select distinct id from changed_step) d
      where r.admin
    ), placed_change as materialized (
      select f.id, f.folder_id, c.user_id, c.at from change c full join changed_file f on f.id = c.subject_id
      where coalesce(f.id, 0) <> 0 and coalesce(c.subject_id, 0) <> 0
    ), fresh as materialized (
      select r.reader, c.id, max(c.at) as newest, min(c.at) as oldest
      from placed_change c full join reach r on r.folder_id = c.folder_id
      where coalesce(c.id, 0) <> 0 and coalesce(r.reader, 0) <> 0 and c.user_id <> r.own and c.at > r.since and c.at <= r.until
      group by r.reader, c.id
    ), changed_access as materialized (
      select distinct a.subject_id, a.user_id, a.created_at as at, case when ${changesEnd} then 'end' else 'granted' end as change
      from activities a where ${between} and ${CHANGED_ACCESS} and ${isNewAccess}
    )`
}

/**
 * `(at, change)` of the access of a member `p` of the part `person`: what others gave the member's groups while the member was
 * in them, and new groups. None while no group lets the member view anything.
 */
export function accessOf(workspaceId: number): Fragment {
  const id = sql`${workspaceId}::int`
  return sql`(
    select c.at, c.change from (
      select c.at, c.change from changed_access c
      join group_memberships gm on gm.workspace_id = ${id} and gm.group_id = c.subject_id and gm.user_id = p.user_id
        and gm.created_at < c.at
      where c.subject_id = any(p.group_ids) and c.user_id <> p.user_id and c.at > p.since and c.at <= p.until
      union all select gm.created_at, 'group' from group_memberships gm
      join groups g on g.workspace_id = gm.workspace_id and g.id = gm.group_id and g.kind = 'custom'
      where gm.workspace_id = ${id} and gm.user_id = p.user_id and gm.group_id = any(p.group_ids)
        and gm.created_at > p.since and gm.created_at <= p.until
    ) c
    where not p.admin and exists (select from groups g where g.workspace_id = ${id} and g.id = any(p.group_ids)
      and ${grantsAnywhere('g', 'view')}))`
}

/**
 * `(user_id, newest, oldest)`: when others last and first changed a file that a member of the part `person` may view, or the
 * member's access. Without rows elsewhere in the workspace: the time of a mail must not tell what its reader may not see.
 * All have the same `until`. Changes are counted together by folder, then by group, where no reader's time lies between
 * them (`after`): a look at each file for each reader would take seconds in a large room.
 */
export const visibleChanges = (workspaceId: number): Fragment => sql`(
  with since as materialized (
    select array(select distinct since from reader order by since) as times
  ), by_folder as materialized (
    select c.folder_id, c.user_id, width_bucket(c.at - interval '1 microsecond', s.times) as after,
      max(c.at) as newest, min(c.at) as oldest
    from placed_change c cross join since s group by 1, 2, 3
  ), by_group as materialized (
    select p.group_id, c.user_id, c.after, max(c.newest) as newest, min(c.oldest) as oldest
    from by_folder c full join (select id, group_id from changed_place union all select distinct id, ${ADMINS}::int from changed_step) p
      on p.id = c.folder_id
    where coalesce(c.folder_id, -1) >= 0 and coalesce(p.id, -1) >= 0 group by 1, 2, 3
  ), seen as materialized (
    select r.reader, max(g.newest) as newest, min(g.oldest) as oldest
    from by_group g full join (
      select r.reader, r.own, width_bucket(r.since, s.times) as after, own.group_id
      from reader r cross join since s
      cross join lateral unnest(case when r.admin then array[${ADMINS}::int] else r.group_ids end) own (group_id)
    ) r on r.group_id = g.group_id
    where coalesce(g.group_id, 0) <> 0 and coalesce(r.group_id, 0) <> 0 and g.user_id <> r.own and g.after >= r.after
    group by r.reader
  )
  select p.user_id, greatest(seen.newest, access.newest) as newest, least(seen.oldest, access.oldest) as oldest
  from person p join as_reader r on r.user_id = p.user_id left join seen on seen.reader = r.reader
  cross join lateral (select max(at) as newest, min(at) as oldest from ${accessOf(workspaceId)} own) access)`
