import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredOrganization, MemberTeam, Organization, OwnedTeam, Team } from '../../access/scopes.ts'
import type { PdfDelivery } from '../../../contract/endpoints/watermarks.ts'
import type { Actor } from '../../auth/actor.ts'
import { isWorkspaceAdmin } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { notFound, refusal } from '../../base/errors.ts'
import { insertTeamMember } from './team-memberships.ts'
import { holdUser } from '../people/users.ts'

type TeamRow = Reply<Api['teams']['get']>

/** Teams `t` with the caller's roles in each. `m` is the caller's membership. */
const selectTeams = (actor: Actor) => sql`
  select t.id, t.name, t.team_owner_id, t.creator_id, t.allowed_workspaces, t.allowed_admins, t.drm_enabled,
    t.watermarking, t.page_pictures, t.pdf_delivery, t.suppress_emails, t.team_owner_id = ${actor.id} as owner,
    m.user_id is not null as member, t.created_at, t.updated_at
  from teams t
  left join team_memberships m on m.organization_id = t.organization_id and m.team_id = t.id and m.user_id = ${actor.id}`

/** All teams for an organization admin, only own teams for other users. */
export async function listTeams(db: Db, { id, actor }: Organization): Promise<TeamRow[]> {
  const { rows } = await sql<TeamRow>`${selectTeams(actor)}
    where t.organization_id = ${id} and (${actor.organization_admin} or m.user_id is not null) order by t.id`.execute(
    db,
  )
  return rows
}

export async function getTeam(db: Db, { id, organization_id, actor }: Team): Promise<TeamRow> {
  const { rows } = await sql<TeamRow>`${selectTeams(actor)}
    where t.organization_id = ${organization_id} and t.id = ${id}`.execute(db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** Counts what is in all workspaces of a team, also in those that the caller cannot enter. */
export async function measureTeam(db: Db, team: MemberTeam): Promise<Reply<Api['teams']['usage']>> {
  const { rows } = await sql<Reply<Api['teams']['usage']>>`
    select count(*)::int as workspaces, ${team.allowed_workspaces}::int as allowed_workspaces,
      coalesce(sum(stored.versions), 0)::int as file_versions, coalesce(sum(stored.bytes), 0)::bigint as bytes,
      coalesce(json_agg(json_build_object('workspace_id', w.id, 'bytes', stored.bytes, 'documents', (
          select count(*) from files f where f.workspace_id = w.id and f.deleted_at is null
        )) order by w.id) filter (where ${isWorkspaceAdmin(sql`w.id`, team.actor.id)}), '[]') as administered
    from workspaces w cross join lateral (
      select count(*) as versions, coalesce(sum(v.file_size), 0) as bytes from file_versions v where v.workspace_id = w.id
    ) stored
    where w.organization_id = ${team.organization_id} and w.team_id = ${team.id}`.execute(db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

export interface TeamSettings {
  name?: string | undefined
  allowed_workspaces?: number | undefined
  allowed_admins?: number | undefined
  drm_enabled?: boolean | undefined
  watermarking?: boolean | undefined
  page_pictures?: boolean | undefined
  pdf_delivery?: PdfDelivery | undefined
  suppress_emails?: boolean | undefined
}

/** Makes a team with the caller as its owner and first member. @returns its id */
export async function insertTeam(
  db: Db,
  organization: AdministeredOrganization,
  settings: TeamSettings & { name: string },
): Promise<number> {
  const { id: organization_id, actor } = organization
  await holdUser(db, organization, actor.id)
  const { id } = await db
    .insertInto('teams')
    .values({ organization_id, team_owner_id: actor.id, creator_id: actor.id, ...settings })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('team_memberships').values({ organization_id, team_id: id, user_id: actor.id }).execute()
  return id
}

/** Returns the settings and locks them against changes until the end of the transaction. */
export async function lockTeamSettings(db: Db, team: MemberTeam) {
  return db
    .selectFrom('teams')
    .select([
      'name',
      'allowed_workspaces',
      'allowed_admins',
      'drm_enabled',
      'watermarking',
      'page_pictures',
      'pdf_delivery',
      'suppress_emails',
    ])
    .where('organization_id', '=', team.organization_id)
    .where('id', '=', team.id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/** Changes only the given keys. */
export async function updateTeam(db: Db, team: MemberTeam, settings: TeamSettings): Promise<void> {
  await db
    .updateTable('teams')
    .set({ ...settings, updated_at: sql`now()` })
    .where('organization_id', '=', team.organization_id)
    .where('id', '=', team.id)
    .execute()
}

/**
 * Hands the team to another user of the organization, who becomes a member.
 * @throws ApiError 409 if the team was handed on meanwhile
 */
export async function setOwner(db: Db, organization: Organization, team: OwnedTeam, userId: number): Promise<string> {
  const { team_name } = await insertTeamMember(db, team, await holdUser(db, organization, userId))
  const updated = await db
    .updateTable('teams')
    .set({ team_owner_id: userId, updated_at: sql`now()` })
    .where('organization_id', '=', team.organization_id)
    .where('id', '=', team.id)
    .where('team_owner_id', '=', team.actor.id)
    .returning('id')
    .executeTakeFirst()
  if (!updated) throw refusal('owner_changed')
  return team_name
}

/** Locks a team until the end of the transaction and counts its workspaces. */
export async function lockTeam(db: Db, team: Team) {
  const locked = await db
    .selectFrom('teams')
    .select(['team_owner_id', 'allowed_workspaces', 'allowed_admins'])
    .where('organization_id', '=', team.organization_id)
    .where('id', '=', team.id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const { workspaces } = await db
    .selectFrom('workspaces')
    .select((select) => select.fn.countAll<number>().as('workspaces'))
    .where('organization_id', '=', team.organization_id)
    .where('team_id', '=', team.id)
    .executeTakeFirstOrThrow()
  return { ...locked, workspaces }
}
