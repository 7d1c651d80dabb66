import { sql } from 'kysely'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import type { TextPolicy } from '../../../contract/endpoints/groups.ts'
import type { PdfDelivery } from '../../../contract/endpoints/watermarks.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredGroup, AdministeredWorkspace, Group, Workspace } from '../../access/scopes.ts'
import { isActive, isInGroup, isUninvited } from '../../access/sql.ts'
import { todayOf } from '../../auth/actor.ts'
import type { Db } from '../../db/pool.ts'
import { notFound } from '../../base/errors.ts'
import { holdGroup } from './group-memberships.ts'
import { type EndedMembership, leaveWorkspaces } from './workspace-memberships.ts'
import { deleteDraft } from '../terms/drafts.ts'

type GroupRow = Reply<Api['groups']['get']>

const uninvitedIn = ({ id }: Workspace) => sql`(
  select gm.group_id, count(*)::int as members
  from workspace_memberships m join group_memberships gm on gm.workspace_id = m.workspace_id and gm.user_id = m.user_id
  where m.workspace_id = ${id} and ${isUninvited('m')} group by gm.group_id)`

const selectGroups = (workspace: Workspace) => sql`
  select g.id, g.name, g.workspace_id, g.drm_enabled, g.drm_expires_after::text,
    (g.expire_workspace_access_at is not null)::text as expire_workspace_access,
    g.expire_workspace_access_at::text, g.watermarked,
    g.pdf_delivery,
    g.file_managing_abilities, g.text_layer, g.kind, g.is_draft,
    ${workspace.admin ? sql`g.members_count` : sql`null::int`} as members_count,
    ${workspace.admin ? sql`coalesce(uninvited.members, 0)` : sql`null::int`} as uninvited_count,
    not ${isActive('g', todayOf(workspace.actor))} as expired,
    g.created_at, g.updated_at
  from groups g ${workspace.admin ? sql`left join ${uninvitedIn(workspace)} uninvited on uninvited.group_id = g.id` : sql``}`

/** Newest first. A plain member gets only their own groups. */
export async function listGroups(db: Db, workspace: Workspace): Promise<GroupRow[]> {
  const { rows } = await sql<GroupRow>`${selectGroups(workspace)}
    where g.workspace_id = ${workspace.id} and ${workspace.admin ? sql`true` : isInGroup('g', workspace.actor.id)} order by g.id desc`.execute(
    db,
  )
  return rows
}

export async function getGroup(db: Db, { id, workspace }: Pick<Group, 'id' | 'workspace'>): Promise<GroupRow> {
  const { rows } = await sql<GroupRow>`${selectGroups(workspace)}
    where g.workspace_id = ${workspace.id} and g.id = ${id}`.execute(db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** Returns the group and locks it against changes until the end of the transaction. */
export async function lockGroup(db: Db, group: AdministeredGroup): Promise<GroupRow> {
  const { rows } = await sql<GroupRow>`${selectGroups(group.workspace)}
    where g.workspace_id = ${group.workspace.id} and g.id = ${group.id} for no key update of g`.execute(db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

export async function insertGroup(
  db: Db,
  workspace: AdministeredWorkspace,
  settings: Omit<Input<Api['groups']['create']>['body']['group'], 'workspace_id'>,
): Promise<number> {
  const { id } = await db
    .insertInto('groups')
    .values({ ...settings, workspace_id: workspace.id, pdf_delivery: usualDelivery(workspace) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The delivery that the team sets for new groups. */
const usualDelivery = ({ organization_id, team_id }: AdministeredWorkspace) => sql<PdfDelivery>`(
  select case when t.page_pictures then t.pdf_delivery else 'woven' end from teams t
  where t.organization_id = ${organization_id} and t.id = ${team_id})`

export interface GroupChanges {
  name?: string | undefined
  file_managing_abilities?: boolean | undefined
  drm_enabled?: boolean | undefined
  /** null removes it. */
  drm_expires_after?: string | null | undefined
  watermarked?: boolean | undefined
  pdf_delivery?: PdfDelivery | undefined
  text_layer?: TextPolicy | undefined
  /** null removes it. */
  expire_workspace_access_at?: string | null | undefined
}

/** Changes only the given columns. */
export async function updateGroup(db: Db, group: AdministeredGroup, changes: GroupChanges): Promise<GroupRow> {
  await db
    .updateTable('groups')
    .set({ ...changes, updated_at: sql`now()` })
    .where('workspace_id', '=', group.workspace.id)
    .where('id', '=', group.id)
    .execute()
  return getGroup(db, group)
}

interface Member {
  id: number
  first_name: string
  last_name: string
  email: string
  /** The member is in no other group except All Members. */
  leaves: boolean
}

/**
 * Deletes a group. As with a removal, members who are in no other group except All Members leave the workspace. Those who
 * wait for a draft are not members. The draft of its terms goes with it, also a PDF; issued versions stay.
 */
export async function deleteGroup(
  db: Db,
  group: AdministeredGroup,
): Promise<{ member_ids: number[]; left: (EndedMembership & { user: Member })[] }> {
  const { workspace } = group
  const { is_draft } = await holdGroup(db, group)
  const { rows } = await sql<Member>`
    select u.id, u.first_name, u.last_name, u.email, not ${is_draft} and not exists (
      select from group_memberships o join groups g on g.workspace_id = o.workspace_id and g.id = o.group_id
      where o.workspace_id = m.workspace_id and o.user_id = m.user_id and o.group_id <> m.group_id
        and g.kind <> 'all_members') as leaves
    from ${is_draft ? sql`draft_memberships` : sql`group_memberships`} m
    join users u on u.organization_id = ${workspace.organization_id} and u.id = m.user_id
    where m.workspace_id = ${workspace.id} and m.group_id = ${group.id}
    order by m.user_id`.execute(db)
  const leaving = new Map(rows.filter((row) => row.leaves).map((row) => [row.id, row]))
  const left = await leaveWorkspaces(db, [workspace.id], [...leaving.keys()], workspace.actor)
  await Promise.all([
    deleteDraft(db, { workspace, group }),
    db.deleteFrom('groups').where('workspace_id', '=', workspace.id).where('id', '=', group.id).execute(),
  ])
  return {
    member_ids: rows.map((row) => row.id),
    left: left.flatMap((each) => {
      const user = leaving.get(each.user_id)
      return user ? [{ ...each, user }] : []
    }),
  }
}

/** Whether the last thing that happened to the end of the access of a group is that the caller removed this very date. */
export async function hasRemovedExpiry(db: Db, { id, workspace }: AdministeredGroup, date: string): Promise<boolean> {
  const { rows } = await sql<{ act: string; user_id: number; date: string | null }>`
    select act, user_id, params ->> 'date' as date from activities
    where workspace_id = ${workspace.id} and subject_type = 'Group' and subject_id = ${id}
      and act in ('access_expiry_set', 'access_expiry_removed', 'access_expiry_removal_undone')
    order by created_at desc, id desc limit 2`.execute(db)
  const [last, before] = rows
  return last?.act === 'access_expiry_removed' && last.user_id === workspace.actor.id && before?.date === date
}
