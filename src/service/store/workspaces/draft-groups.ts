import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { todayOf } from '../../auth/actor.ts'
import type { AdministeredGroup, Organization } from '../../access/scopes.ts'
import { isActive, isKnownTo, isOfAdmins, isUninvited, viewedRanges, workspaceAdmins } from '../../access/sql.ts'
import { notFound, refusal } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { asInvited, holdUser, type UserRow, userColumns } from '../people/users.ts'
import { filesIn } from '../engagement/engaged.ts'
import { holdGroup, insertedMemberships } from './group-memberships.ts'
import { leaveWorkspaces } from './workspace-memberships.ts'

type Foreseen = Omit<Reply<Api['draftGroups']['publish']>, 'invited'>

/** A person as acts name them. */
interface Named {
  id: number
  email: string
  first_name: string
  last_name: string
}

/** Counts who would see what once the group is published, by its rights and those of All Members. */
export async function foreseePublishing(db: Db, { id, workspace }: AdministeredGroup): Promise<Foreseen> {
  const { rows } = await sql<Foreseen>`
    with seen as materialized (
      select distinct d.id from groups g cross join lateral ${viewedRanges(workspace.id, sql`g.id`)} range
      cross join lateral (
        select d.id from folders d where d.workspace_id = ${workspace.id} and d.deleted_at is null
          and d.id_path >= range.first and d.id_path < range.beyond offset 0
      ) d
      where g.workspace_id = ${workspace.id} and (g.id = ${id} or g.kind = 'all_members')
        and ${isActive('g', todayOf(workspace.actor))}
    ), person as materialized (
      select w.user_id, m.user_id is null as is_new, m.user_id is null or ${isUninvited('m')} as uninvited
      from draft_memberships w
      left join workspace_memberships m on m.workspace_id = w.workspace_id and m.user_id = w.user_id
      where w.workspace_id = ${workspace.id} and w.group_id = ${id}
        and w.user_id not in (select a.user_id from ${workspaceAdmins} a where a.workspace_id = ${workspace.id})
    )
    select (select count(*) from seen where id <> 0)::int as folders, (
        select count(*) from seen cross join lateral ${filesIn(workspace.id, sql`seen.id`)} f)::int as files,
      count(*)::int as people, count(*) filter (where is_new)::int as newcomers,
      count(*) filter (where uninvited)::int as uninvited
    from person`.execute(db)
  return rows[0] ?? { folders: 0, files: 0, people: 0, newcomers: 0, uninvited: 0 }
}

/**
 * The people who wait for a draft, or one of them. Who is a stranger to the caller is shown as by an invitation: without
 * a name.
 */
export async function listWaiting(db: Db, { id, workspace }: AdministeredGroup, userId?: number): Promise<UserRow[]> {
  const { actor, organization_id } = workspace
  const { rows } = await sql<UserRow & { known: boolean; added_at: string }>`
    select ${userColumns}, ${isKnownTo('u', actor.id, sql`${actor.organization_admin}::boolean`)} as known,
      m.created_at as added_at
    from draft_memberships m join users u on u.organization_id = ${organization_id} and u.id = m.user_id
    where m.workspace_id = ${workspace.id} and m.group_id = ${id} and u.id = coalesce(${userId ?? null}::int, u.id)
    order by m.id`.execute(db)
  return rows.map(({ known, added_at, ...user }) => (known ? user : asInvited(user, user.email, added_at)))
}

/** A person in a group that was published or made a draft, and the membership of the workspace that came or went with it. */
export interface Moved extends Named {
  group_membership_id: number
  membership_id: number | null
}

/**
 * Publishes a draft: those who wait for it become its members, and members of the workspace.
 * @returns all of them
 * @throws ApiError 404 for a group deleted meanwhile, 403 for a caller who is no longer an admin, 409 if it is not a draft
 */
export async function publishGroup(db: Db, group: AdministeredGroup): Promise<{ name: string; members: Moved[] }> {
  const { id, workspace } = group
  await holdWaiting(db, group)
  const { name } = await holdGroup(db, group)
  const { rows } = await sql<{ [Field in keyof Moved]: Moved[Field] | null }>`
    with published as (
      update groups set is_draft = false, updated_at = now()
      where workspace_id = ${workspace.id} and id = ${id} and is_draft returning id
    ), waiting as materialized (
      delete from draft_memberships d using published where d.workspace_id = ${workspace.id} and d.group_id = published.id
      returning d.id, d.user_id
    ), newcomer as materialized (
      select u.*, waiting.id as group_membership_id from waiting
      join users u on u.organization_id = ${workspace.organization_id} and u.id = waiting.user_id and u.deleted_at is null
    ), joined as (${insertedMemberships(workspace.id, workspace.actor.id)}), grouped as (
      insert into group_memberships (workspace_id, group_id, user_id, id)
      select ${workspace.id}::int, ${id}::int, n.id, n.group_membership_id from newcomer n
    ), among_all as (
      insert into group_memberships (workspace_id, group_id, user_id)
      select g.workspace_id, g.id, n.id from newcomer n cross join groups g
      where g.workspace_id = ${workspace.id} and g.kind = 'all_members' on conflict do nothing
    )
    select n.id, n.email, n.first_name, n.last_name, n.group_membership_id, j.id as membership_id
    from published left join newcomer n on true left join joined j on j.user_id = n.id order by n.id`.execute(db)
  if (rows.length === 0) throw refusal('group_not_draft')
  return { name, members: rows.filter((row): row is Moved => row.id !== null) }
}

/** Prevents the deletion of those who wait, in the order in which a deletion locks: the user, then the members. */
async function holdWaiting(db: Db, { id, workspace }: AdministeredGroup): Promise<void> {
  await sql`
    select from draft_memberships d
    join users u on u.organization_id = d.organization_id and u.id = d.user_id
    where d.workspace_id = ${workspace.id} and d.group_id = ${id} order by u.id for share of u`.execute(db)
}

/**
 * Makes a group a draft: its members wait for it, and those who are in no other group except All Members leave the
 * workspace, with their invitations.
 * @returns all of them
 * @throws ApiError 404 and 403 as `publishGroup`, 409 if it is a draft or if a member but a workspace admin has come in
 */
export async function withdrawGroup(db: Db, group: AdministeredGroup): Promise<{ name: string; members: Moved[] }> {
  const { id, workspace } = group
  const { name } = await holdGroup(db, group)
  const { rows } = await sql<Moved & { leaves: boolean; has_entered: boolean }>`
    select u.id, u.email, u.first_name, u.last_name, gm.id as group_membership_id, m.id as membership_id, not admin.is_admin and (m.joined_at is not null or exists (
        select from activities a where a.workspace_id = gm.workspace_id and a.user_id = gm.user_id
          and a.subject_type = 'Asset' and a.verb in ('viewed', 'opened', 'downloaded'))) as has_entered,
      not exists (
        select from group_memberships o join groups other on other.workspace_id = o.workspace_id and other.id = o.group_id
        where o.workspace_id = gm.workspace_id and o.user_id = gm.user_id and o.group_id <> gm.group_id
          and other.kind <> 'all_members') as leaves
    from group_memberships gm
    join workspace_memberships m on m.workspace_id = gm.workspace_id and m.user_id = gm.user_id
    join users u on u.organization_id = ${workspace.organization_id} and u.id = gm.user_id
    cross join lateral (select exists (
      select from group_memberships a join groups g on g.workspace_id = a.workspace_id and g.id = a.group_id
      where a.workspace_id = gm.workspace_id and a.user_id = gm.user_id and ${isOfAdmins('g')}) as is_admin) admin
    where gm.workspace_id = ${workspace.id} and gm.group_id = ${id} order by u.id for update of m`.execute(db)
  if (rows.some(({ has_entered }) => has_entered)) throw refusal('group_was_entered')
  await moveToWaiting(db, group)
  const leaving = rows.filter(({ leaves }) => leaves).map((row) => row.id)
  await leaveWorkspaces(db, [workspace.id], leaving, workspace.actor)
  return { name, members: rows.map((row) => ({ ...row, membership_id: row.leaves ? row.membership_id : null })) }
}

async function moveToWaiting(db: Db, { id, workspace }: AdministeredGroup): Promise<void> {
  const { rows } = await sql`
    with drafted as (
      update groups set is_draft = true, updated_at = now()
      where workspace_id = ${workspace.id} and id = ${id} and not is_draft returning id
    ), gone as (
      delete from group_memberships m using drafted where m.workspace_id = ${workspace.id} and m.group_id = drafted.id
      returning m.*
    ), waiting as (
      insert into draft_memberships (workspace_id, group_id, user_id, id, organization_id)
      select workspace_id, group_id, user_id, id, ${workspace.organization_id}::int from gone
    )
    select id from drafted`.execute(db)
  if (rows.length === 0) throw refusal('group_is_draft')
}

/**
 * Removes a person who waits for a draft.
 * @throws ApiError 404 for a person who does not wait for it, 403 for a caller who is no longer an admin
 */
export async function deleteWaiting(
  db: Db,
  organization: Organization,
  group: AdministeredGroup,
  userId: number,
): Promise<{ user: UserRow; name: string; membership_id: number }> {
  const { id, workspace } = group
  await holdUser(db, organization, userId)
  const { name } = await holdGroup(db, group)
  const [user] = await listWaiting(db, group, userId)
  const gone = await db
    .deleteFrom('draft_memberships')
    .where('workspace_id', '=', workspace.id)
    .where('group_id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  if (!gone || !user) throw notFound()
  return { user, name, membership_id: gone.id }
}
