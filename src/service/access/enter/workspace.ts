import { sql } from 'kysely'
import { type Actor, todayOf } from '../../auth/actor.ts'
import type { Db } from '../../db/pool.ts'
import { notFound, refusal } from '../../base/errors.ts'
import type { AdministeredWorkspace, Threshold, Workspace } from '../scopes.ts'
import { statement } from '../../db/statement.ts'
import { type Fragment, isTeamMember, standingIn, termsAwait } from '../sql.ts'
import { rememberIn, takeWorkspace } from './known.ts'

/**
 * The one way into a workspace.
 * @throws ApiError 404 unless the caller is a member of the workspace, 403 for a personal API key where API access is
 * off (decisions, section 10), 403 while terms await the caller
 */
export async function enterWorkspace(db: Db, actor: Actor, workspaceId: number): Promise<Workspace> {
  const { row, inside } = await approach(db, actor, workspaceId)
  if (row.awaits_terms) throw refusal('terms_not_accepted')
  const workspace = scopeOf(row, actor)
  if (inside) rememberIn(workspace, inside)
  return workspace
}

/** @throws ApiError as `enterWorkspace`, except for terms */
export async function approachWorkspace(db: Db, actor: Actor, workspaceId: number): Promise<Threshold> {
  const { row } = await approach(db, actor, workspaceId)
  const { id, organization_id, team_id, name, terms_ids, awaits_terms, admin } = row
  return { id, organization_id, team_id, name, terms_ids, awaits_terms, admin, actor } as Threshold
}

/** The scope that a member has or would have, for an admin who looks at what the member meets. */
export async function foreseeEntry(db: Db, workspace: AdministeredWorkspace, userId: number) {
  const { actor, id } = workspace
  const { row } = await approach(db, { ...actor, personal_key: undefined, id: userId }, id)
  return { seen: scopeOf(row, actor), awaits_terms: row.awaits_terms, terms_ids: row.terms_ids }
}

async function approach(db: Db, actor: Actor, workspaceId: number) {
  const known = takeWorkspace<WorkspaceRow>(actor, workspaceId)
  const row = known ? known.row : await findWorkspace(db, actor, workspaceId)
  if (!row) throw notFound()
  if (actor.personal_key && !row.api_access_enabled) throw refusal('workspace_closed_to_keys')
  return { row, inside: known?.inside }
}

function scopeOf(row: WorkspaceRow, actor: Actor): Workspace {
  const { api_access_enabled: _open, awaits_terms: _awaits, terms_ids: _terms, ...facts } = row
  return { ...facts, actor } as Workspace
}

export type WorkspaceRow = Omit<Workspace, 'actor'> &
  Pick<Threshold, 'terms_ids' | 'awaits_terms'> & { api_access_enabled: boolean }

/**
 * A workspace and the standing of a user who is a member of it. Gives one row or none, for a lateral join. `offset 0`
 * keeps the join in here: a plan that was made while the workspace was empty would read all of its members.
 */
export const workspaceOfMember = (of: Record<'organizationId' | 'id' | 'userId' | 'today', Fragment>): Fragment => sql`(
  select w.id, w.organization_id, w.team_id, w.name, w.api_access_enabled, w.numbering, standing.*,
    ${termsAwait} as awaits_terms,
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

/** The workspaces that the caller visited last, those they were never in by their addition. None where terms await. */
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
    ) latest cross join lateral ${workspaceOfMember(of)} w where not w.awaits_terms order by latest.at desc, w.id`.execute(
    db,
  )
  return rows.map((row) => scopeOf(row, actor))
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
