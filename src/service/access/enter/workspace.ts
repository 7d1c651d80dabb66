import { sql } from 'kysely'
import { type Actor, todayOf } from '../../auth/actor.ts'
import type { Db } from '../../db/pool.ts'
import { forbidden, notFound } from '../../errors.ts'
import type { AdministeredWorkspace, Workspace } from '../scopes.ts'

/**
 * @throws ApiError 404 unless the caller is a member of the workspace, 403 for a personal API key where API access is
 * off (decisions, section 10)
 */
export async function enterWorkspace(db: Db, actor: Actor, workspaceId: number): Promise<Workspace> {
  const { rows } = await sql<Omit<Workspace, 'actor'> & { api_access_enabled: boolean }>`
    select w.id, w.organization_id, w.team_id, w.name, w.api_access_enabled, g.admin,
      exists (select from team_memberships t where t.organization_id = w.organization_id and t.team_id = w.team_id
        and t.user_id = m.user_id) as team_member,
      coalesce(g.ids, '{}') as group_ids, coalesce(g.managing_ids, '{}') as managing_group_ids
    from workspaces w
    join workspace_memberships m on m.workspace_id = w.id and m.user_id = ${actor.id}
    cross join lateral (
      select coalesce(bool_or(g.kind = 'workspace_admins'), false) as admin,
        array_agg(g.id) filter (where g.active) as ids,
        array_agg(g.id) filter (where g.active and g.file_managing_abilities) as managing_ids
      from (
        select g.id, g.kind, g.file_managing_abilities,
          g.expire_workspace_access_at is null or g.expire_workspace_access_at > ${todayOf(actor)}::date as active
        from group_memberships gm join groups g on g.workspace_id = gm.workspace_id and g.id = gm.group_id
        where gm.workspace_id = w.id and gm.user_id = m.user_id
      ) g
    ) g
    where w.organization_id = ${actor.organization_id} and w.id = ${workspaceId}`.execute(db)
  if (!rows[0]) throw notFound()
  const { api_access_enabled, ...workspace } = rows[0]
  if (actor.personal_key && !api_access_enabled) throw forbidden('This workspace is closed to personal API keys.')
  return { ...workspace, actor } as Workspace
}

/** @throws ApiError 404 for outsiders, 403 for members who are not workspace admins */
export async function administerWorkspace(db: Db, actor: Actor, workspaceId: number): Promise<AdministeredWorkspace> {
  const workspace = await enterWorkspace(db, actor, workspaceId)
  if (!workspace.admin) throw forbidden('This is for workspace admins.')
  return workspace as AdministeredWorkspace
}
