import { sql } from 'kysely'
import type { Actor } from '../../auth/actor.ts'
import type { Db } from '../../db/pool.ts'
import { notFound } from '../../base/errors.ts'
import type { AdministeredGroup, AdministeredWorkspace, Group, Workspace } from '../scopes.ts'
import { type Fragment, isInGroup } from '../sql.ts'
import { take } from './known.ts'
import { administerWorkspace } from './workspace.ts'

/** An admin enters any group of the workspace; other members enter only their own groups. */
export async function enterGroup(db: Db, workspace: Workspace, groupId: number): Promise<Group> {
  const known = take<GroupRow>(workspace, 'group', groupId)
  if (known?.row) return { ...known.row, workspace } as Group
  const [group] = known ? [] : await enterGroups(db, workspace, [groupId])
  if (!group) throw notFound()
  return group
}

type GroupRow = Omit<Group, 'workspace'>

/** A group that the caller can see. Gives one row or none, for a lateral join. */
export const groupFor = (
  caller: Record<'workspaceId' | 'userId' | 'admin', Fragment>,
  groupId: Fragment,
): Fragment => sql`(
  select g.id, g.name, g.kind, g.is_draft from groups g
  where g.workspace_id = ${caller.workspaceId} and g.id = ${groupId} and (${caller.admin} or ${isInGroup('g', caller.userId)}))`

/** Enters groups in the order of the ids. @throws ApiError 404 if the caller cannot see one of them */
export async function enterGroups(db: Db, workspace: Workspace, groupIds: readonly number[]): Promise<Group[]> {
  const { rows } = await sql<GroupRow>`
    select g.id, g.name, g.kind, g.is_draft
    from unnest(${groupIds}::int[]) with ordinality wanted (id, place)
    join groups g on g.workspace_id = ${workspace.id} and g.id = wanted.id
    where ${workspace.admin} or ${isInGroup('g', workspace.actor.id)}
    order by wanted.place`.execute(db)
  if (rows.length < groupIds.length) throw notFound()
  return rows.map((row) => ({ ...row, workspace }) as Group)
}

/**
 * Enters a group as an admin. The workspace is optional, for endpoints that do not ask for it: group ids are unique.
 * @throws ApiError 404 for outsiders, 403 for plain members, whatever the group
 */
export async function administerGroup(
  db: Db,
  actor: Actor,
  workspaceId: number | undefined,
  groupId: number,
): Promise<AdministeredGroup> {
  const workspace = await administerWorkspace(db, actor, workspaceId ?? (await findOwnWorkspaceOf(db, actor, groupId)))
  return managedGroup(db, workspace, groupId)
}

/** @throws ApiError 404 if the workspace has no such group */
export async function managedGroup(
  db: Db,
  workspace: AdministeredWorkspace,
  groupId: number,
): Promise<AdministeredGroup> {
  return (await enterGroup(db, workspace, groupId)) as AdministeredGroup
}

/** Finds the caller's workspace that has the group. @throws ApiError 404 */
async function findOwnWorkspaceOf(db: Db, actor: Actor, groupId: number): Promise<number> {
  const row = await db
    .selectFrom('workspace_memberships as m')
    .innerJoin('groups as g', 'g.workspace_id', 'm.workspace_id')
    .select('m.workspace_id')
    .where('m.organization_id', '=', actor.organization_id)
    .where('m.user_id', '=', actor.id)
    .where('g.id', '=', groupId)
    .executeTakeFirst()
  if (!row) throw notFound()
  return row.workspace_id
}
