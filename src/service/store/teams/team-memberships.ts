import { sql } from 'kysely'
import type { MemberTeam } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { notFound, refusal } from '../../base/errors.ts'
import { lockMembers, syncTeamAdmins } from '../workspaces/group-memberships.ts'
import { type UserRow, userColumns } from '../people/users.ts'

type TeamMemberRow = UserRow & { member_since: string; membership_updated_at: string }

/** Members in the order in which they were added. */
export async function listTeamMembers(db: Db, team: MemberTeam): Promise<TeamMemberRow[]> {
  const { rows } = await sql<TeamMemberRow>`
    select ${userColumns}, m.created_at as member_since, m.updated_at as membership_updated_at
    from team_memberships m join users u on u.organization_id = m.organization_id and u.id = m.user_id
    where m.organization_id = ${team.organization_id} and m.team_id = ${team.id}
    order by m.created_at, u.id`.execute(db)
  return rows
}

/** Adds a user, or returns the existing membership. Workspace Admins of the team's workspaces become Team Admins. */
export async function insertTeamMember(db: Db, team: MemberTeam, user: UserRow) {
  const key = { organization_id: team.organization_id, team_id: team.id, user_id: user.id }
  const { name, workspaceIds } = await lockTeamWorkspaces(db, team)
  const inserted = await db
    .insertInto('team_memberships')
    .values(key)
    .onConflict((conflicting) => conflicting.doNothing())
    .returning(['created_at', 'updated_at'])
    .executeTakeFirst()
  if (inserted) await syncTeamAdmins(db, workspaceIds)
  const membership = inserted ?? (await findMembership(db, team, user.id))
  if (!membership) throw notFound()
  return { ...membership, is_new: inserted !== undefined, team_name: name }
}

/** @returns the name of the team. @throws ApiError 404 for a user who is not a member, 409 for the owner */
export async function deleteTeamMember(db: Db, team: MemberTeam, userId: number): Promise<string> {
  const { name, workspaceIds } = await lockTeamWorkspaces(db, team)
  if (!(await findMembership(db, team, userId))) throw notFound()
  const deleted = await sql`
    delete from team_memberships m
    where m.organization_id = ${team.organization_id} and m.team_id = ${team.id} and m.user_id = ${userId}
      and not exists (select from teams t where t.organization_id = m.organization_id and t.id = m.team_id
        and t.team_owner_id = m.user_id)
    returning m.user_id`.execute(db)
  if (deleted.rows.length === 0) throw refusal('owner_stays')
  await syncTeamAdmins(db, workspaceIds)
  return name
}

async function findMembership(db: Db, team: MemberTeam, userId: number) {
  return db
    .selectFrom('team_memberships')
    .select(['created_at', 'updated_at'])
    .where('organization_id', '=', team.organization_id)
    .where('team_id', '=', team.id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/**
 * Locks the team and the group memberships of its workspaces until the end of the transaction. Checks after the wait
 * for the team that the caller is still a member.
 */
async function lockTeamWorkspaces(db: Db, team: MemberTeam): Promise<{ name: string; workspaceIds: number[] }> {
  const { id, organization_id, actor } = team
  await sql`select from teams where organization_id = ${organization_id} and id = ${id} for no key update`.execute(db)
  const { rows } = await sql<{ name: string; member: boolean; workspaceIds: number[] }>`
    select t.name, exists (select from team_memberships m where m.organization_id = t.organization_id
        and m.team_id = t.id and m.user_id = ${actor.id}) as member,
      array(select w.id from workspaces w where w.organization_id = t.organization_id and w.team_id = t.id) as "workspaceIds"
    from teams t where t.organization_id = ${organization_id} and t.id = ${id}`.execute(db)
  if (!rows[0]) throw notFound()
  if (!rows[0].member) throw actor.organization_admin ? refusal('for_team_members') : notFound()
  await lockMembers(db, rows[0].workspaceIds)
  return rows[0]
}
