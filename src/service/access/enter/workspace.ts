import { sql } from 'kysely'
import { type Actor, todayOf } from '../../auth/actor.ts'
import type { Db } from '../../db/pool.ts'
import { notFound, refusal } from '../../base/errors.ts'
import type { AdministeredWorkspace, Workspace } from '../scopes.ts'
import { isTeamMember, standingIn } from '../sql.ts'

/**
 * @throws ApiError 404 unless the caller is a member of the workspace, 403 for a personal API key where API access is
 * off (decisions, section 10)
 */
export async function enterWorkspace(db: Db, actor: Actor, workspaceId: number): Promise<Workspace> {
  const { rows } = await sql<Omit<Workspace, 'actor'> & { api_access_enabled: boolean }>`
    select w.id, w.organization_id, w.team_id, w.name, w.api_access_enabled, standing.*,
      ${isTeamMember(sql`w.organization_id`, sql`w.team_id`, sql`m.user_id`)} as team_member
    from workspaces w
    join workspace_memberships m on m.workspace_id = w.id and m.user_id = ${actor.id}
    cross join lateral ${standingIn(sql`w.id`, sql`m.user_id`, todayOf(actor))} standing
    where w.organization_id = ${actor.organization_id} and w.id = ${workspaceId}`.execute(db)
  if (!rows[0]) throw notFound()
  const { api_access_enabled, ...workspace } = rows[0]
  if (actor.personal_key && !api_access_enabled) throw refusal('workspace_closed_to_keys')
  return { ...workspace, actor } as Workspace
}

/** @throws ApiError 404 for outsiders, 403 for members who are not workspace admins */
export async function administerWorkspace(db: Db, actor: Actor, workspaceId: number): Promise<AdministeredWorkspace> {
  const workspace = await enterWorkspace(db, actor, workspaceId)
  if (!workspace.admin) throw refusal('for_workspace_admins')
  return workspace as AdministeredWorkspace
}
