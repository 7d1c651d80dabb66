import { sql } from 'kysely'
import type { Actor } from '../../auth/actor.ts'
import type { Db } from '../../db/pool.ts'
import { notFound, refusal } from '../../base/errors.ts'
import type { MemberTeam, OwnedTeam, Team, Watermark } from '../scopes.ts'

/** Enters a team that the caller belongs to; an organization admin enters any team. @throws ApiError 404 */
export async function enterTeam(db: Db, actor: Actor, teamId: number): Promise<Team> {
  const { rows } = await sql<Omit<Team, 'actor'>>`
    select t.id, t.name, t.organization_id, t.team_owner_id, t.team_owner_id = ${actor.id} as owner, m.user_id is not null as member,
      t.allowed_workspaces, t.allowed_admins, t.drm_enabled, t.watermarking, t.suppress_emails
    from teams t
    left join team_memberships m on m.organization_id = t.organization_id and m.team_id = t.id and m.user_id = ${actor.id}
    where t.organization_id = ${actor.organization_id} and t.id = ${teamId}`.execute(db)
  const team = rows[0]
  if (!team || !(team.member || actor.organization_admin)) throw notFound()
  return { ...team, actor } as Team
}

/** @throws ApiError 403 for organization admins outside the team: the role gives nothing (decisions, section 4) */
export async function enterTeamAsMember(db: Db, actor: Actor, teamId: number): Promise<MemberTeam> {
  const team = await enterTeam(db, actor, teamId)
  if (!team.member) throw refusal('for_team_members')
  return team as MemberTeam
}

/** @throws ApiError 403 unless the caller owns the team */
export function ownedTeam(team: MemberTeam): OwnedTeam {
  if (!team.owner) throw refusal('for_team_owner')
  return team as OwnedTeam
}

/** @throws ApiError 404 for outsiders of the team, 403 for an organization admin who is not a member */
export async function enterWatermark(db: Db, actor: Actor, watermarkId: number): Promise<Watermark> {
  const watermark = await db
    .selectFrom('watermarks')
    .select(['id', 'team_id'])
    .where('organization_id', '=', actor.organization_id)
    .where('id', '=', watermarkId)
    .executeTakeFirst()
  if (!watermark) throw notFound()
  return { id: watermark.id, team: await enterTeamAsMember(db, actor, watermark.team_id) } as Watermark
}
