import { sql } from 'kysely'
import { type Actor, todayOf } from '../../auth/actor.ts'
import type { Db } from '../../db/pool.ts'
import { notFound, refusal } from '../../base/errors.ts'
import type { AdministeredWorkspace, Workspace } from '../scopes.ts'
import { statement } from '../../db/statement.ts'
import { type Fragment, isTeamMember, standingIn } from '../sql.ts'
import { rememberIn, takeWorkspace } from './known.ts'

/**
 * @throws ApiError 404 unless the caller is a member of the workspace, 403 for a personal API key where API access is
 * off (decisions, section 10)
 */
export async function enterWorkspace(db: Db, actor: Actor, workspaceId: number): Promise<Workspace> {
  const known = takeWorkspace<WorkspaceRow>(actor, workspaceId)
  const row = known ? known.row : await findWorkspace(db, actor, workspaceId)
  if (!row) throw notFound()
  const { api_access_enabled, ...facts } = row
  if (actor.personal_key && !api_access_enabled) throw refusal('workspace_closed_to_keys')
  const workspace = { ...facts, actor } as Workspace
  if (known) rememberIn(workspace, known.inside)
  return workspace
}

export type WorkspaceRow = Omit<Workspace, 'actor'> & { api_access_enabled: boolean }

/**
 * A workspace and the standing of a user who is a member of it. Gives one row or none, for a lateral join. `offset 0`
 * keeps the join in here: a plan that was made while the workspace was empty would read all of its members.
 */
export const workspaceOfMember = (of: Record<'organizationId' | 'id' | 'userId' | 'today', Fragment>): Fragment => sql`(
  select w.id, w.organization_id, w.team_id, w.name, w.api_access_enabled, w.numbering, standing.*,
    ${isTeamMember(sql`w.organization_id`, sql`w.team_id`, sql`m.user_id`)} as team_member
  from workspaces w
  join workspace_memberships m on m.workspace_id = w.id and m.user_id = ${of.userId}
  cross join lateral ${standingIn(sql`w.id`, sql`m.user_id`, of.today)} standing
  where w.organization_id = ${of.organizationId} and w.id = ${of.id} offset 0)`

const workspaceRows = statement<Record<'organizationId' | 'id' | 'userId', number> & { today: string }, WorkspaceRow>(
  (of) => sql`select w.* from ${workspaceOfMember(of)} w`,
)

async function findWorkspace(db: Db, actor: Actor, id: number): Promise<WorkspaceRow | undefined> {
  const of = { organizationId: actor.organization_id, userId: actor.id, today: todayOf(actor), id }
  return (await workspaceRows(db, of))[0]
}

/** The workspaces that the caller visited last, those they were never in by their addition. */
export async function enterLatestWorkspaces(db: Db, actor: Actor, most: number): Promise<Workspace[]> {
  const of = {
    organizationId: sql`${actor.organization_id}::int`,
    id: sql`latest.workspace_id`,
    userId: sql`${actor.id}::int`,
    today: sql`${todayOf(actor)}::date`,
  }
  const { rows } = await sql<WorkspaceRow>`
    select w.* from (
      select m.workspace_id, coalesce(m.last_active_at, m.created_at) as at from workspace_memberships m
      join workspaces o on o.organization_id = m.organization_id and o.id = m.workspace_id
      where m.organization_id = ${actor.organization_id} and m.user_id = ${actor.id}
        and (o.api_access_enabled or ${!actor.personal_key})
      order by at desc, m.workspace_id limit ${most}
    ) latest cross join lateral ${workspaceOfMember(of)} w order by latest.at desc, w.id`.execute(db)
  return rows.map(({ api_access_enabled: _open, ...facts }) => ({ ...facts, actor }) as Workspace)
}

/** @throws ApiError 404 for outsiders, 403 for members who are not workspace admins */
export async function administerWorkspace(db: Db, actor: Actor, workspaceId: number): Promise<AdministeredWorkspace> {
  return asAdmin(await enterWorkspace(db, actor, workspaceId))
}

/** @throws ApiError 403 for members who are not workspace admins */
export function asAdmin(workspace: Workspace): AdministeredWorkspace {
  if (!workspace.admin) throw refusal('for_workspace_admins')
  return workspace as AdministeredWorkspace
}
