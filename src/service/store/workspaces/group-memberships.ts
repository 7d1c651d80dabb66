import { sql } from 'kysely'
import type { PdfDelivery } from '../../../contract/endpoints/watermarks.ts'
import { isAdminGroup, leavesWorkspace } from '../../../contract/rules.ts'
import { refusalOfRemoval } from '../../access/rules.ts'
import type { AdministeredGroup, AdministeredWorkspace, Organization } from '../../access/scopes.ts'
import {
  type Fragment,
  isOfAdmins,
  isOfWorkspaceAdmins,
  isTeamMember,
  isUninvited,
  isWorkspaceAdmin,
  workspaceAdmins,
} from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { type ParametersOf, statement } from '../../db/statement.ts'
import { notFound, refusal, unprocessable } from '../../base/errors.ts'
import { type Activity, recordEach, type Recordings, recordingsOf } from '../audit/activities.ts'
import { holdUser, type UserRow, userColumns } from '../people/users.ts'
import { leaveWorkspaces } from './workspace-memberships.ts'

export async function listGroupMembers(db: Db, { id, workspace }: AdministeredGroup): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select ${userColumns}
    from group_memberships m join users u on u.organization_id = ${workspace.organization_id} and u.id = m.user_id
    where m.workspace_id = ${workspace.id} and m.group_id = ${id}
    order by m.id`.execute(db)
  return rows
}

/**
 * Locks the group memberships of workspaces until the end of the transaction. The lock is on the All Members groups
 * only: changes of folders do not wait for it.
 */
export async function lockMembers(db: Db, workspaceIds: readonly number[]): Promise<void> {
  await sql`select from groups where workspace_id = any(${workspaceIds}::int[]) and kind = 'all_members'
    order by workspace_id for no key update`.execute(db)
}

export interface TeamRules {
  allowed_admins: number
  drm_enabled: boolean
  watermarking: boolean
  page_pictures: boolean
  pdf_delivery: PdfDelivery
  suppress_emails: boolean
}

export async function getTeamRules(db: Db, workspace: AdministeredWorkspace): Promise<TeamRules> {
  return db
    .selectFrom('teams')
    .select(['allowed_admins', 'drm_enabled', 'watermarking', 'page_pictures', 'pdf_delivery', 'suppress_emails'])
    .where('organization_id', '=', workspace.organization_id)
    .where('id', '=', workspace.team_id)
    .executeTakeFirstOrThrow()
}

interface NewMember extends Recordings {
  organization_id: number
  workspace_id: number
  group_id: number
  member_id: number
  /** The member is added only if this is still the name of the group, and the group still a draft or none. */
  group_name: string
  /** The group is one of admins: the member becomes a Workspace Admin. */
  of_admins: boolean
}

interface Joined extends UserRow {
  administers: boolean
  /** Null if the group was deleted. */
  found_name: string | null
  found_draft: boolean
  workspace_membership_id: number | null
  /** The user was a member already, without an invitation. */
  was_uninvited: boolean
}

/**
 * Parts of a statement that add a person to a group. Takes the same lock as `lockMembers`, then locks the caller's
 * membership of Workspace Admins: a removal that was committed meanwhile is seen.
 */
const heldBy = (to: ParametersOf<NewMember>) => sql`
  person as materialized (
    select u.* from users u
    where u.organization_id = ${to.organization_id} and u.id = ${to.member_id} and u.deleted_at is null
    for share of u
  ), held as materialized (
    select m.workspace_id from person cross join groups m
    where m.workspace_id = ${to.workspace_id} and m.kind = 'all_members' for no key update of m
  ), administering as materialized (
    select m.id from held join groups a on a.workspace_id = held.workspace_id and ${isOfWorkspaceAdmins('a')}
    join group_memberships m on m.workspace_id = a.workspace_id and m.group_id = a.id and m.user_id = ${to.user_id}
    for key share of m
  ), target as materialized (
    select g.id, g.name, g.is_draft from held join groups g on g.workspace_id = held.workspace_id and g.id = ${to.group_id}
    for share of g
  )`

const findings = sql`exists (select from administering) as administers, (select name from target) as found_name,
  coalesce((select is_draft from target), false) as found_draft`

/**
 * Inserts the users of `newcomer` who are not in the workspace yet. A name that a user chose appears in marks only if the
 * caller has accepted it, in this workspace or another one. The caller may have picked the user by id or from a list that
 * was older than the name. Names that other admins accepted elsewhere do not count, because any user with a team can make
 * workspaces and admins.
 */
export const insertedMemberships = (workspaceId: number | Fragment, callerId: number | Fragment): Fragment => sql`
  insert into workspace_memberships (workspace_id, user_id, organization_id,
    awaits_invitation, marked_first_name, marked_last_name, name_changed_at)
  select ${workspaceId}, u.id, u.organization_id, true, case when is_unseen then coalesce(seen.first_name, '') end,
    case when is_unseen then coalesce(seen.last_name, '') end, case when is_unseen then now() end
  from newcomer u left join lateral (
    select coalesce(m.marked_first_name, u.first_name) as first_name,
      coalesce(m.marked_last_name, u.last_name) as last_name
    from workspace_memberships m
    where u.self_named and m.organization_id = u.organization_id and m.user_id = u.id
      and m.name_accepted_by_id = ${callerId}
    order by m.marked_first_name is null desc, m.name_changed_at desc, m.id desc limit 1
  ) seen on true cross join lateral (
    select u.self_named
      and (u.first_name, u.last_name) is distinct from (seen.first_name, seen.last_name) as is_unseen
  ) n
  on conflict do nothing returning id, user_id`

const joining = statement<NewMember, Joined>(
  (to) => sql`
    with ${heldBy(to)}, newcomer as materialized (
      select person.* from person cross join target cross join administering
      where target.name = ${to.group_name} and not target.is_draft
    ), joined as (${insertedMemberships(to.workspace_id, to.user_id)}
    ), grouped as (
      insert into group_memberships (workspace_id, group_id, user_id)
      select g.workspace_id, g.id, newcomer.id from newcomer cross join groups g
      where g.workspace_id = ${to.workspace_id} and (g.id = ${to.group_id} or g.kind = 'all_members'
        or (${to.of_admins}::boolean and ${isOfWorkspaceAdmins('g')}))
      on conflict do nothing returning id, group_id
    ), subject as (
      select ${to.workspace_id}::int as workspace_id, 'group_member_added' as act, id from grouped
      where group_id = ${to.group_id}
      union all select ${to.workspace_id}, 'member_added', id from joined
    ), ${recordEach(to)}
    select ${userColumns}, ${findings}, (select id from joined) as workspace_membership_id,
      exists (select from workspace_memberships w where w.workspace_id = ${to.workspace_id} and w.user_id = u.id
        and ${isUninvited('w')}) as was_uninvited
    from person u`,
)

type Awaiting = Omit<Joined, 'workspace_membership_id' | 'was_uninvited'>

/** Lets a person wait for a draft. */
const waiting = statement<NewMember, Awaiting>(
  (to) => sql`
    with ${heldBy(to)}, noticed as (
      insert into draft_memberships (workspace_id, group_id, user_id, organization_id)
      select ${to.workspace_id}, target.id, person.id, person.organization_id
      from person cross join target cross join administering
      where target.name = ${to.group_name} and target.is_draft
      on conflict do nothing returning id
    ), subject as (
      select ${to.workspace_id}::int as workspace_id, 'waiting_member_added' as act, id from noticed
    ), ${recordEach(to)}
    select ${userColumns}, ${findings} from person u`,
)

async function join(db: Db, to: NewMember, isDraft: boolean): Promise<Joined | undefined> {
  if (!isDraft) return (await joining(db, to))[0]
  const [row] = await waiting(db, to)
  return row && { ...row, workspace_membership_id: null, was_uninvited: false }
}

/**
 * Adds a user to a group, to All Members and to the workspace, and records the acts that `told` makes of the group,
 * those of new memberships only. A group of admins needs a transaction. Whoever is added to a draft waits for it, is in no
 * workspace through it, and is not to be invited.
 * @returns the user as read under the lock, whether no mail has invited them yet, and whether they wait for a draft
 * @throws ApiError 404 for a user or group deleted meanwhile, 403 for a caller who is no longer an admin, 422 beyond the
 * Workspace Admins that the team allows, or for a Team Admin from outside the team
 */
export async function insertGroupMember(
  db: Db,
  group: AdministeredGroup,
  user: { id: number },
  told: (group: { name: string; is_draft: boolean }) => Activity[],
): Promise<{ user: UserRow; isUninvited: boolean; waits: boolean }> {
  const { id: workspace_id, organization_id } = group.workspace
  const place = { organization_id, workspace_id, group_id: group.id, member_id: user.id }
  const of_admins = isAdminGroup(group)
  if (of_admins) {
    await holdGroup(db, group)
    await checkNewAdmin(db, group, user)
  }
  for (let { name: group_name, is_draft } = group; ;) {
    const acts = recordingsOf(group.workspace, told({ name: group_name, is_draft }))
    const row = await join(db, { ...place, group_name, of_admins, ...acts }, is_draft)
    if (!row || row.found_name === null) throw notFound()
    const { administers, found_name, found_draft, workspace_membership_id, was_uninvited, ...joined } = row
    if (!administers) throw refusal('for_workspace_admins')
    if (found_name !== group_name || found_draft !== is_draft) {
      // Another act renamed or published the group first.
      group_name = found_name
      is_draft = found_draft
      continue
    }
    if (of_admins) await syncTeamAdmins(db, [workspace_id])
    return { user: joined, isUninvited: workspace_membership_id !== null || was_uninvited, waits: is_draft }
  }
}

/**
 * Locks the members as `lockMembers` does, then checks that the group and the caller's role still exist.
 * @throws ApiError 404 for a group deleted meanwhile, 403 for a caller who is no longer an admin
 */
export async function holdGroup(
  db: Db,
  { id, workspace }: AdministeredGroup,
): Promise<{ name: string; is_draft: boolean }> {
  await lockMembers(db, [workspace.id])
  const group = await db
    .selectFrom('groups as g')
    .select(['g.name', 'g.is_draft', isWorkspaceAdmin(sql`g.workspace_id`, workspace.actor.id).as('administers')])
    .where('g.workspace_id', '=', workspace.id)
    .where('g.id', '=', id)
    .executeTakeFirst()
  if (!group) throw notFound()
  if (!group.administers) throw refusal('for_workspace_admins')
  return group
}

async function checkNewAdmin(db: Db, { kind, workspace }: AdministeredGroup, user: { id: number }): Promise<void> {
  const { rows } = await sql<{ admins: number; is_admin: boolean; team_member: boolean }>`
    select count(*)::int as admins, coalesce(bool_or(a.user_id = ${user.id}), false) as is_admin,
      ${isTeamMember(workspace.organization_id, workspace.team_id, user.id)} as team_member
    from ${workspaceAdmins} a where a.workspace_id = ${workspace.id}`.execute(db)
  const { admins = 0, is_admin = false, team_member = false } = rows[0] ?? {}
  if (kind === 'team_admins' && !team_member) throw unprocessable('user_id', 'team_member')
  const { allowed_admins } = await getTeamRules(db, workspace)
  if (!is_admin && admins >= allowed_admins) {
    throw unprocessable('user_id', 'max_workspace_admins', { limit: allowed_admins })
  }
}

/**
 * Synchronizes Team Admins with the Workspace Admins who are members of the parent team. Requires `lockMembers` on the
 * workspaces.
 */
export async function syncTeamAdmins(db: Db, workspaceIds: readonly number[]): Promise<void> {
  await sql`
    with team_admins as (
      select workspace_id, id from groups where workspace_id = any(${workspaceIds}::int[]) and kind = 'team_admins'
    ), due as (
      select ta.workspace_id, ta.id as group_id, m.user_id
      from team_admins ta
      join workspaces w on w.id = ta.workspace_id
      join ${workspaceAdmins} m on m.workspace_id = ta.workspace_id
      join team_memberships t on t.organization_id = w.organization_id and t.team_id = w.team_id
        and t.user_id = m.user_id
    ), gone as (
      delete from group_memberships m using team_admins ta
      where m.workspace_id = ta.workspace_id and m.group_id = ta.id and not exists (
        select from due where due.workspace_id = m.workspace_id and due.user_id = m.user_id)
    )
    insert into group_memberships (workspace_id, group_id, user_id) select workspace_id, group_id, user_id from due
    on conflict do nothing`.execute(db)
}

interface Standing {
  group_name: string
  group_membership_id: number | null
  workspace_membership_id: number | null
  admins: number
  groups: { id: number; kind: string }[]
  remover: { admin: boolean; team_member: boolean }
  removed: { admin: boolean; team_member: boolean }
}

const REFUSALS = {
  admins: () => refusal('members_by_admins'),
  team: () => refusal('admins_by_team'),
  last: () => refusal('last_workspace_admin'),
}

/** A member who may be removed from a group, under the locks. */
export interface LeavingMember {
  user: UserRow
  group_name: string
  group_membership_id: number
  /** Null if the user stays in the workspace. */
  workspace_membership_id: number | null
}

/**
 * Locks the user and the members of the workspace, and judges the removal of the user from the group. The user also leaves
 * the workspace if the group is All Members or the user's last other group.
 * @throws ApiError 404, or 403 or 409 by the removal rules (API description, Groups)
 */
export async function judgeRemoval(
  db: Db,
  organization: Organization,
  group: AdministeredGroup,
  userId: number,
): Promise<LeavingMember> {
  // Sent together, but granted in this order.
  const [user, , standing] = await Promise.all([
    holdUser(db, organization, userId),
    lockMembers(db, [group.workspace.id]),
    getStanding(db, group, userId),
  ])
  const { group_name, group_membership_id, workspace_membership_id, groups } = standing
  if (group_membership_id === null) throw notFound()
  const refusal = refusalOfRemoval({ ...standing, group: group.kind })
  if (refusal) throw REFUSALS[refusal]()
  const leaves = leavesWorkspace(group, groups)
  return { user, group_name, group_membership_id, workspace_membership_id: leaves ? workspace_membership_id : null }
}

/**
 * Removes a user from a group, and from the workspace if they leave it. The two admin groups count as one: a Team Admin is a
 * Workspace Admin.
 */
export async function deleteGroupMember(db: Db, group: AdministeredGroup, leaving: LeavingMember): Promise<void> {
  const { workspace } = group
  const { user, workspace_membership_id } = leaving
  // Sent together: the commit may follow at once.
  await Promise.all([
    workspace_membership_id === null
      ? deleteFrom(db, group, user.id)
      : leaveWorkspaces(db, [workspace.id], [user.id], workspace.actor),
    group.kind === 'all_members' && stopWaiting(db, [workspace.id], user.id),
  ])
}

/** Removes a user from all draft groups of workspaces. */
export async function stopWaiting(db: Db, workspaceIds: readonly number[], userId: number): Promise<void> {
  if (workspaceIds.length === 0) return
  await sql`delete from draft_memberships where workspace_id = any(${workspaceIds}::int[]) and user_id = ${userId}`.execute(
    db,
  )
}

async function deleteFrom(db: Db, group: AdministeredGroup, userId: number): Promise<void> {
  await sql`
    delete from group_memberships m using groups g
    where m.workspace_id = ${group.workspace.id} and m.user_id = ${userId} and g.workspace_id = m.workspace_id
      and g.id = m.group_id and ${goneGroups(group)}`.execute(db)
}

/** Selects the groups `g` that a user leaves on removal from `group`. */
const goneGroups = (group: AdministeredGroup) => (isAdminGroup(group) ? isOfAdmins('g') : sql`g.id = ${group.id}`)

async function getStanding(db: Db, group: AdministeredGroup, userId: number): Promise<Standing> {
  const { workspace } = group
  const factsOf = (id: number) => sql`json_build_object(
    'admin', coalesce(bool_or(m.user_id = ${id} and ${isOfWorkspaceAdmins('g')}), false),
    'team_member', ${isTeamMember(workspace.organization_id, workspace.team_id, id)})`
  const { rows } = await sql<Standing>`
    select max(m.id) filter (where m.user_id = ${userId} and g.id = ${group.id}) as group_membership_id,
      max(g.name) filter (where g.id = ${group.id}) as group_name,
      (select w.id from workspace_memberships w
        where w.workspace_id = ${workspace.id} and w.user_id = ${userId}) as workspace_membership_id,
      count(*) filter (where ${isOfWorkspaceAdmins('g')}) as admins,
      coalesce(json_agg(json_build_object('id', g.id, 'kind', g.kind)) filter (where m.user_id = ${userId}), '[]') as groups,
      ${factsOf(workspace.actor.id)} as remover, ${factsOf(userId)} as removed
    from group_memberships m join groups g on g.workspace_id = m.workspace_id and g.id = m.group_id
    where m.workspace_id = ${workspace.id} and (m.user_id = ${userId} or ${isOfWorkspaceAdmins('g')})`.execute(db)
  if (!rows[0]) throw notFound()
  return rows[0]
}
