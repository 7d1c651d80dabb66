import { type RawBuilder, sql } from 'kysely'
import type { Flag } from '../../contract/endpoints/permissions.ts'
import type { Rights } from './scopes.ts'

// The facts that decide about access, as SQL: nearest override, inside a subtree, active group, workspace admin, member.
// No other file spells them. The fragments name their own tables, so that they hide no alias of the calling statement.

/** Columns or parameters of the calling statement. */
export type Fragment = RawBuilder<unknown>
export type Id = number | Fragment
type Ids = readonly number[] | Fragment

const idsOf = (ids: Ids): Fragment => (Array.isArray(ids) ? sql`${ids}::int[]` : (ids as Fragment))

/** Ids that PostgreSQL does not see when it plans: it would plan anew at every call, because it hopes for less work. */
export const unseen = (ids: Ids): Fragment => sql`(select ${ids}::int[])::int[]`

/** Whether a folder, or the folder of an override, is a folder or anything in it. One range of an index. */
export const isInSubtree = (idPath: Fragment, folder: Ids): RawBuilder<boolean> =>
  sql`(${idPath} >= ${idsOf(folder)} and ${idPath} < id_path_end(${idsOf(folder)}))`

/** The same without the folder itself. */
export const isBelow = (idPath: Fragment, folder: Ids): RawBuilder<boolean> =>
  sql`(${idPath} > ${idsOf(folder)} and ${idPath} < id_path_end(${idsOf(folder)}))`

/** Whether a group, named by its alias, grants rights on a day. Its access ends when the day of expiry begins. */
export function isActive(group: string, today: string | Fragment): RawBuilder<boolean> {
  const g = sql.id(group)
  return sql`(${g}.expire_workspace_access_at is null or ${g}.expire_workspace_access_at > ${today}::date)`
}

/** Whether a group, named by its alias, is the one of the workspace admins, who have every right. */
export const isOfWorkspaceAdmins = (group: string): RawBuilder<boolean> =>
  sql`${sql.id(group)}.kind = 'workspace_admins'`

/** `isAdminGroup` of the contract, for a group named by its alias. */
export const isOfAdmins = (group: string): RawBuilder<boolean> =>
  sql`${sql.id(group)}.kind in ('workspace_admins', 'team_admins')`

/** `(workspace_id, user_id)` of the workspace admins, for a join. */
export const workspaceAdmins: Fragment = sql`(
  select admins.workspace_id, admin_member.user_id
  from groups admins join group_memberships admin_member on admin_member.workspace_id = admins.workspace_id
    and admin_member.group_id = admins.id
  where ${isOfWorkspaceAdmins('admins')})`

/** Whether an organization is the oldest one, whose admins administer the installation. */
export const isFirstOrganization = (organizationId: Id): RawBuilder<boolean> =>
  sql`${organizationId} = (select min(every.id) from organizations every)`

export const isWorkspaceAdmin = (workspaceId: Id, userId: Id): RawBuilder<boolean> => sql`exists (
  select from ${workspaceAdmins} an_admin where an_admin.workspace_id = ${workspaceId} and an_admin.user_id = ${userId})`

export const isTeamMember = (organizationId: Id, teamId: Id, userId: Id): RawBuilder<boolean> => sql`exists (
  select from team_memberships in_team where in_team.organization_id = ${organizationId} and in_team.team_id = ${teamId}
    and in_team.user_id = ${userId})`

/**
 * Whether a user, named by an alias, is the caller or shares with them a team or a workspace that they may enter.
 * Organization admins know all.
 */
export function isKnownTo(user: string, callerId: Id, organizationAdmin: Fragment): RawBuilder<boolean> {
  const u = sql.id(user)
  return sql`(
    ${organizationAdmin} or ${u}.id = ${callerId}
    or exists (select from team_memberships mine
      join team_memberships theirs on theirs.organization_id = mine.organization_id and theirs.team_id = mine.team_id
      where mine.organization_id = ${u}.organization_id and mine.user_id = ${callerId} and theirs.user_id = ${u}.id)
    or exists (select from workspace_memberships m
      join workspace_memberships theirs on theirs.organization_id = m.organization_id
        and theirs.workspace_id = m.workspace_id
      join workspaces w on w.organization_id = m.organization_id and w.id = m.workspace_id
      where m.organization_id = ${u}.organization_id and m.user_id = ${callerId} and theirs.user_id = ${u}.id
        and not ${termsAwaitOn(sql`(now() at time zone 'UTC')::date`)}))`
}

/** Whether a user is in a group, named by its alias. */
export const isInGroup = (group: string, userId: Id): RawBuilder<boolean> => sql`exists (
  select from group_memberships in_group where in_group.workspace_id = ${sql.id(group)}.workspace_id
    and in_group.group_id = ${sql.id(group)}.id and in_group.user_id = ${userId})`

/** Whether a group, named by its alias, grants a right on any folder. */
export const grantsAnywhere = (group: string, flag: Flag): RawBuilder<boolean> => sql`exists (
  select from folder_permissions granted where granted.workspace_id = ${sql.id(group)}.workspace_id
    and granted.group_id = ${sql.id(group)}.id and granted.flag = ${flag} and granted.value)`

/**
 * The first day on which no group grants a user anything in a workspace, null without an end. Groups without rights count
 * only while no other group of the user has any.
 */
export const accessEndOf = (workspaceId: Id, userId: Id): RawBuilder<string | null> => sql`(
  select case when bool_and(own.ends_at is not null) then max(own.ends_at)::text end
  from (
    select grant_of.ends_at, grant_of.counts, grant_of.grants, bool_or(grant_of.grants) over () as any_grants
    from (
      select own_group.expire_workspace_access_at as ends_at, own_group.kind <> 'all_members' as counts,
        ${isOfAdmins('own_group')} or ${grantsAnywhere('own_group', 'view')} as grants
      from group_memberships own_membership join groups own_group on own_group.workspace_id = own_membership.workspace_id
        and own_group.id = own_membership.group_id
      where own_membership.workspace_id = ${workspaceId} and own_membership.user_id = ${userId}
    ) grant_of
  ) own where own.grants or (own.counts and not own.any_grants))`

/** Whether a membership of a workspace, named by its alias, began without a mail, and none was sent since. */
export const isUninvited = (membership: string): RawBuilder<boolean> =>
  sql`(${sql.id(membership)}.awaits_invitation and ${sql.id(membership)}.joined_at is null)`

/** How far a member of a workspace, named by an alias, has come: one of `INVITATION_STATES`. */
export const invitationStateOf = (membership: string): RawBuilder<string> =>
  sql`(case when ${sql.id(membership)}.joined_at is not null then 'arrived'
    when ${isUninvited(membership)} then 'not_invited' else 'invited' end)`

/** Whether a member of a workspace, named by an alias, was invited by a mail and has not come yet. */
export const isAwaited = (membership: string): RawBuilder<boolean> =>
  sql`(${sql.id(membership)}.joined_at is null and not ${sql.id(membership)}.awaits_invitation)`

/**
 * The standing of a user in a workspace `w` by their groups. Gives one row `(admin, terms_ids, group_ids,
 * managing_group_ids, sealing_group_ids)` with the ids of active groups only, for a lateral join. The terms are those of
 * the groups, or else of the workspace.
 */
export function standingIn(workspaceId: Id, userId: Id, today: string | Fragment): Fragment {
  return sql`(
    select coalesce(bool_or(own.is_admins), false) as admin,
      coalesce(array_agg(own.terms_id) filter (where own.active and own.terms_id is not null),
        array_remove(array[w.terms_id], null)) as terms_ids,
      coalesce(array_agg(own.id order by own.id) filter (where own.active), '{}') as group_ids,
      coalesce(array_agg(own.id order by own.id) filter (where own.active and own.file_managing_abilities), '{}')
        as managing_group_ids,
      coalesce(array_agg(own.id order by own.id) filter (where own.active and own.drm_enabled), '{}') as sealing_group_ids
    from (
      select own_group.id, own_group.file_managing_abilities, own_group.drm_enabled, own_group.terms_id,
        ${isOfWorkspaceAdmins('own_group')} as is_admins,
        ${isActive('own_group', today)} as active
      from group_memberships own_membership join groups own_group on own_group.workspace_id = own_membership.workspace_id
        and own_group.id = own_membership.group_id
      where own_membership.workspace_id = ${workspaceId} and own_membership.user_id = ${userId}
    ) own)`
}

/**
 * Whether a member `m` of the workspace `w` must accept terms before anything is served, by a row `standing`. Admins of the
 * workspace and the organization and the owner of the team are not bound.
 */
export const termsAwait = sql<boolean>`case when standing.terms_ids <@ m.accepted_terms then false else not (standing.admin
  or exists (select from teams own_team where own_team.organization_id = w.organization_id and own_team.id = w.team_id
    and own_team.team_owner_id = m.user_id)
  or exists (select from users own_account where own_account.organization_id = m.organization_id
    and own_account.id = m.user_id and own_account.organization_admin_since is not null)) end`

/** The same without a row `standing`, which is read only where a workspace has terms. */
export const termsAwaitOn = (today: string | Fragment): RawBuilder<boolean> => sql`case when w.has_terms
  then (select ${termsAwait} from ${standingIn(sql`w.id`, sql`m.user_id`, today)} standing) else false end`

/**
 * The value of a flag for one group on the folder with the given id path: that of the nearest override on the path,
 * false without one.
 */
export const hasRight = (at: {
  workspaceId: Id
  groupId: Id
  flag: Flag | Fragment
  idPath: Ids
}): RawBuilder<boolean> =>
  sql`coalesce((
    select set_right.value from folder_permissions set_right
    where set_right.workspace_id = ${at.workspaceId} and set_right.group_id = ${at.groupId} and set_right.flag = ${at.flag}
      and set_right.folder_id = any(${idsOf(at.idPath)})
    order by cardinality(set_right.id_path) desc limit 1), false)`

/** The rights as admins have set them, with those on drafts, which groups do not have yet. Elsewhere, drafts have none. */
export const SET_RIGHTS = sql`set_permissions`
/** The same with the staged rights, as they will be set once these are published. */
export const PLANNED_RIGHTS = sql`planned_permissions`
const RIGHTS = sql`folder_permissions`
/** The rows that a grid of rights shows, which to admins are those that are set, or planned. */
export const rightsTableFor = (asSet: boolean, isPlanned = false): Fragment =>
  isPlanned ? PLANNED_RIGHTS : asSet ? SET_RIGHTS : RIGHTS

const RIGHTS_BUT_WITHHELD = sql`(select * from folder_permissions own_right where not own_right.withholds)`

/** The same for all flags of many groups; of every group, without ids. Gives rows `(group_id, flag, value, folder_id)`. */
export const nearestOverrides = (
  workspaceId: Id,
  idPath: Ids,
  groupIds?: Ids,
  rows: Fragment = RIGHTS,
): Fragment => sql`(
  select distinct on (set_right.group_id, set_right.flag)
    set_right.group_id, set_right.flag, set_right.value, set_right.folder_id
  from ${rows} set_right
  where set_right.workspace_id = ${workspaceId} ${groupIds ? sql`and set_right.group_id = any(${idsOf(groupIds)})` : sql``}
    and set_right.folder_id = any(${idsOf(idPath)})
  order by set_right.group_id, set_right.flag, cardinality(set_right.id_path) desc)`

/**
 * The same for many folders in one pass: for each combination of the columns `of`, the nearest of the `overrides` `o` that
 * are on the path of a row `p` of `places` and meet the condition `on`. Selects `columns`.
 */
export const nearestInOnePass = (by: {
  of: Fragment
  columns: Fragment
  places: Fragment
  /** A `left join` keeps places without overrides. */
  join: 'join' | 'left join'
  overrides: Fragment
  on: Fragment
}): Fragment => sql`(
  select distinct on (${by.of}) ${by.columns}
  from ${alongPaths(by.places)} p ${sql.raw(by.join)} ${by.overrides} o on o.folder_id = p.on_path and ${by.on}
  order by ${by.of}, p.depth desc)`

/**
 * The nearest overrides of view and download of each group, for many folders in one pass. `steps` has a row `(id, on_path,
 * depth)` for each folder and each folder on its path, and `onPaths` all ids of `on_path`. Gives rows `(id, group_id, view,
 * download)`, null without an override. The deepest override has the greatest `depth * 2`, and the last bit is its value.
 */
export const nearestOnSteps = (workspaceId: Id, groupIds: Ids, steps: Fragment, onPaths: Ids): Fragment => sql`(
  select step.id, own.group_id, max(step.depth * 2 + own.view::int) % 2 = 1 as view,
    max(step.depth * 2 + own.download::int) % 2 = 1 as download
  from ${steps} step join (
    select p.folder_id, p.group_id, bool_or(p.value) filter (where p.flag = 'view') as view,
      bool_or(p.value) filter (where p.flag = 'download') as download
    from folder_permissions p
    where p.workspace_id = ${workspaceId} and p.group_id = any(${idsOf(groupIds)}) and p.folder_id = any(${idsOf(onPaths)})
    group by p.folder_id, p.group_id
  ) own on own.folder_id = step.on_path
  group by step.id, own.group_id)`

/**
 * The same for some `folders` (`id`, `id_path`) in one pass. Gives rows `(id, group_id, flag, value)`. A full join is never a
 * nested loop, which a plan made before the tables are analyzed would choose, and which takes quadratic time.
 * @param of the groups, or all; the flag, or all
 */
export const nearestAmong = (
  workspaceId: Id,
  folders: Fragment,
  of: { groupIds?: Ids | undefined; flag?: Flag; rows?: Fragment },
): Fragment => sql`(
  with step as materialized (select p.id, p.on_path, p.depth from ${alongPaths(folders)} p), own as materialized (
    select o.folder_id, o.group_id, o.flag, o.value from ${of.rows ?? RIGHTS} o
    where o.workspace_id = ${workspaceId} ${of.groupIds ? sql`and o.group_id = any(${unseen(of.groupIds)})` : sql``}
      ${of.flag ? sql`and o.flag = ${of.flag}` : sql``} and o.folder_id = any(array(select on_path from step))
  )
  select distinct on (s.id, o.group_id, o.flag) s.id, o.group_id, o.flag, o.value
  from step s full join own o on o.folder_id = s.on_path
  where coalesce(s.id, -1) >= 0 and coalesce(o.folder_id, -1) >= 0
  order by s.id, o.group_id, o.flag, s.depth desc)`

/** Ids of those `folders` (`id`, `id_path`) that one of the groups may view, in one pass. */
export const viewedAmong = (workspaceId: Id, groupIds: Ids, folders: Fragment): RawBuilder<unknown> =>
  sql`select nearest.id from ${nearestAmong(workspaceId, folders, { groupIds, flag: 'view' })} nearest where nearest.value`

/**
 * Each row once for each folder on its `id_path`: `on_path`, with its `depth`. `offset 0` keeps the planner from
 * joining by other columns before the paths are unnested, which would take quadratic time.
 */
export const alongPaths = (rows: Fragment): Fragment => sql`(
  select path_of.*, step.* from ${rows} path_of cross join unnest(path_of.id_path) with ordinality step (on_path, depth)
  offset 0)`

/**
 * Rights of the union of groups on the folder with the given id path. Gives one row `(view, download, upload)`, for a
 * lateral join.
 */
export const rightsOf = (workspaceId: Id, groupIds: Ids, idPath: Ids, rows?: Fragment): RawBuilder<Rights> => sql`(
  select ${unionOfRights} from ${nearestOverrides(workspaceId, idPath, groupIds, rows)} nearest)`

const unionOfRights = sql`coalesce(bool_or(value) filter (where flag = 'view'), false) as view,
  coalesce(bool_or(value) filter (where flag = 'download'), false) as download,
  coalesce(bool_or(value) filter (where flag = 'upload'), false) as upload`

/** The same, with `manages` and `sealed`: whether one of the `managing` groups may upload, and one of the `sealing` download. */
export const rightsWith = (
  workspaceId: Id,
  groupIds: Ids,
  { managing, sealing }: Record<'managing' | 'sealing', Fragment>,
  idPath: Ids,
): Fragment => sql`(
  select ${unionOfRights},
    coalesce(bool_or(value and group_id = any(${managing})) filter (where flag = 'upload'), false) as manages,
    coalesce(bool_or(value and group_id = any(${sealing})) filter (where flag = 'download'), false) as sealed
  from ${nearestOverrides(workspaceId, idPath, groupIds)} nearest)`

/** Whether a folder is a draft or in one: `is_in_draft`, without the price of calling a function. */
export const isInDraft = (workspaceId: Id, idPath: Ids): RawBuilder<boolean> =>
  sql`exists (
    select from folders draft_above where draft_above.workspace_id = ${workspaceId} and draft_above.is_draft
      and draft_above.id = any(${idsOf(idPath)}))`

/**
 * Parts of a statement that insert the rows of its part `rows` (`workspace_id`, `group_id`, `flag`, `folder_id`, `id_path`,
 * `value`) as set by admins: those on drafts and in drafts are withheld.
 */
export function settingRights(rows: string): Fragment {
  const columns = sql`workspace_id, group_id, flag, folder_id, id_path, value`
  return sql`
    judged as materialized (
      select ${columns}, ${isInDraft(sql`r.workspace_id`, sql`r.id_path`)} as waits from ${sql.table(rows)} r
    ), set_now as (
      insert into folder_permissions (${columns}) select ${columns} from judged where not waits
    ), set_later as (
      insert into withheld_permissions (${columns}) select ${columns} from judged where waits
    )`
}

/** Parts of a statement that delete the set rights of some folders `where`. The part `gone` has them. */
export const deletingRights = (where: Fragment): Fragment => sql`
  given as (
    delete from folder_permissions where ${where} and not withholds
    returning workspace_id, group_id, flag, folder_id, id_path, value
  ), withheld as (
    delete from withheld_permissions where ${where}
    returning workspace_id, group_id, flag, folder_id, id_path, value
  ), gone as (select * from given union all select * from withheld)`

/** Whether one of the groups may view something strictly below the folder, for a folder that they cannot view. */
export const leadsToVisible = (workspaceId: Id, groupIds: Ids, idPath: Fragment): RawBuilder<boolean> => sql`exists (
  select from folder_permissions set_below
  where set_below.workspace_id = ${workspaceId} and set_below.group_id = any(${idsOf(groupIds)})
    and set_below.flag = 'view' and set_below.value and ${isBelow(sql`set_below.id_path`, idPath)})`

/** The same for many folders: the ids of those that lead to something, in one pass over the overrides of the groups. */
export const leadingAmong = (workspaceId: Id, groupIds: Ids, folderIds: Ids): Fragment => sql`(
  select distinct step.id from folder_permissions set_below cross join unnest(set_below.id_path) step (id)
  where set_below.workspace_id = ${workspaceId} and set_below.group_id = any(${idsOf(groupIds)})
    and set_below.flag = 'view' and set_below.value and step.id = any(${idsOf(folderIds)}))`

/**
 * The subfolders of a folder with overrides of view of the groups at them or inside. All other subfolders are as visible as
 * the folder itself. Works from these overrides, which are few, and never from each folder down. Gives rows `(id, view,
 * visible, shown, hidden)`: `shown` and `hidden` count the visible and the hidden ones of those subfolders of `id` that have
 * overrides in turn.
 *
 * A revocation further down changes nothing here, and is not read. `of_child` is the own override of the subfolder for
 * the group of the row, `viewing` the number of groups that view the subfolder. Groups without a row for a subfolder of
 * it see that one as they see the subfolder.
 */
export function subfoldersWithOverrides(workspaceId: Id, groupIds: Ids, idPath: Ids): Fragment {
  const depth = sql`cardinality(${idsOf(idPath)})`
  return sql`(
    select child as id, max(viewing) > 0 as view,
      max(viewing) > 0 or coalesce(bool_or(is_visible), false) as visible,
      count(*) filter (where is_visible) as shown, count(*) filter (where not is_visible) as hidden
    from (
      select child, max(viewing) as viewing, case when grandchild is not null then
          bool_or(coalesce(own, of_child, top)) or max(viewing) > count(*) filter (where coalesce(of_child, top))
          or bool_or(leads) end as is_visible
      from (
        select o.child, o.grandchild, o.own, o.leads, top.views as top,
          bool_or(o.own) filter (where o.grandchild is null) over (partition by o.child, o.group_id) as of_child,
          cardinality(above.group_ids) + coalesce(sum(o.own::int - top.views::int) filter (where o.grandchild is null)
            over (partition by o.child), 0) as viewing
        from (
          select coalesce(array_agg(n.group_id) filter (where n.flag = 'view' and n.value), '{}') as group_ids
          from ${nearestOverrides(workspaceId, idPath, groupIds)} n
        ) above cross join (
          select set_below.group_id, set_below.id_path[${depth} + 1] as child, set_below.id_path[${depth} + 2] as grandchild,
            bool_or(set_below.value) filter (where cardinality(set_below.id_path) <= ${depth} + 2) as own,
            coalesce(bool_or(set_below.value) filter (where cardinality(set_below.id_path) > ${depth} + 2), false) as leads
          from folder_permissions set_below
          where set_below.workspace_id = ${workspaceId} and set_below.group_id = any(${idsOf(groupIds)})
            and set_below.flag = 'view' and ${isBelow(sql`set_below.id_path`, idPath)}
            and (set_below.value or cardinality(set_below.id_path) <= ${depth} + 2)
          group by 1, 2, 3
        ) o cross join lateral (select o.group_id = any(above.group_ids) as views) top
      ) by_group
      group by child, grandchild
    ) by_folder
    group by child)`
}

/**
 * The ranges `(first, beyond)` of id paths of the folders that a group views, by its overrides and not by the folders: the
 * right changes where the subtree of an override begins, and where it ends, that of the nearest override around it returns.
 * Each of these is looked up by its key: without statistics, PostgreSQL would read all overrides of the group for each.
 */
export const viewedRanges = (workspaceId: Id, groupId: Id | null): Fragment => sql`(
  with own as materialized (
    select set_right.id_path, set_right.value from folder_permissions set_right
    where set_right.workspace_id = ${workspaceId} and set_right.group_id = ${groupId}::int and set_right.flag = 'view'
  ), edge as (
    select id_path as first, true as is_start, value from own
    union all
    select id_path_end(id_path), false, coalesce((
      select around.value from unnest(own.id_path) with ordinality step (id, depth) cross join lateral (
        select set_around.value from folder_permissions set_around
        where set_around.workspace_id = ${workspaceId} and set_around.group_id = ${groupId}::int
          and set_around.folder_id = step.id and set_around.flag = 'view' offset 0
      ) around
      where step.depth < cardinality(own.id_path) order by step.depth desc limit 1), false)
    from own
  )
  select first, beyond from (
    select first, lead(first) over (order by first, is_start) as beyond, value from edge
  ) range where value)`

export const overridesBelow = (
  workspaceId: Id,
  groupIds: Ids,
  idPath: Fragment,
  rows: Fragment = RIGHTS,
): Fragment => sql`(
  select o.group_id, o.flag, o.folder_id, o.id_path, o.value from ${rows} o
  where o.workspace_id = ${workspaceId} and o.group_id = any(${idsOf(groupIds)})
    and o.flag in ('view', 'download', 'upload') and ${isBelow(sql`o.id_path`, idPath)})`

/**
 * The same without overrides at hidden folders, but with all those of the direct subfolders. Nothing is visible in a
 * hidden folder. A `full join` is a hash or merge join whatever PostgreSQL expects of tables without statistics.
 * @param own the groups of the caller
 */
export function visibleOverridesBelow(
  { workspace, groups, own }: Record<'workspace' | 'groups' | 'own', Fragment>,
  idPath: Fragment,
): Fragment {
  const isDeeper = sql`cardinality(p.id_path) > cardinality(${idPath}) + 1`
  return sql`(
    with setting as materialized (
      select * from ${overridesBelow(workspace, groups, idPath, RIGHTS_BUT_WITHHELD)} o
    ), mine as materialized (
      select * from ${overridesBelow(workspace, own, idPath)} o where o.flag = 'view'
    ), above as materialized (
      select n.group_id from ${nearestOverrides(workspace, idPath, own)} n where n.flag = 'view' and n.value
    ), nearest as (
      select distinct on (j.folder_id, m.group_id) j.folder_id,
        m.value::int - (m.group_id in (select group_id from above))::int as change
      from (
        select j.folder_id, step.* from (
          select distinct p.folder_id, p.id_path[cardinality(${idPath}) + 1:] as path from setting p where ${isDeeper}
        ) j cross join unnest(j.path) with ordinality step (on_path, depth) offset 0
      ) j full join mine m on m.folder_id = j.on_path
      where coalesce(j.folder_id, 0) <> 0 and coalesce(m.folder_id, 0) <> 0
      order by j.folder_id, m.group_id, j.depth desc
    ), judged as materialized (
      select folder_id, (select count(*) from above) + sum(change) > 0 as views from nearest group by folder_id
    )
    select p.* from setting p where not ${isDeeper}
      or p.folder_id in (select folder_id from judged where views)
      or exists (select from above) and p.folder_id not in (select folder_id from judged)
      or p.folder_id in (select step.id from mine m cross join unnest(m.id_path) step (id) where m.value))`
}
