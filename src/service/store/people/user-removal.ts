import { sql } from 'kysely'
import type { AdministeredOrganization } from '../../access/scopes.ts'
import { workspaceAdmins } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { refusal } from '../../base/errors.ts'
import { newToken, hashOfToken } from '../../base/secrets.ts'
import { withdrawCredentials } from './credentials.ts'
import { lockMembers, stopWaiting } from '../workspaces/group-memberships.ts'
import { lockAdmins } from '../teams/organization.ts'
import { lockUser, type UserRow } from './users.ts'
import { leaveWorkspaces } from '../workspaces/workspace-memberships.ts'

/** Roles that only this user holds, and that a deletion would leave without a holder. */
interface SoleRoles {
  only_organization_admin: boolean
  owned_team: string | null
  administered_alone: string | null
}

/**
 * Deletes a user: removes the user from every team and workspace and ends the token and the sessions at once. The row
 * stays for the record; the e-mail address is free again.
 * @throws ApiError 404, or 409 for a user who needs a successor first (contract, README)
 */
export async function deleteUser(db: Db, organization: AdministeredOrganization, userId: number) {
  await lockAdmins(db, organization)
  const user = await lockUser(db, organization, userId)
  const workspaceIds = await lockWorkspacesOf(db, organization, userId)
  refuseSoleRoles(user, await findSoleRoles(db, organization, user))

  const [left] = await Promise.all([
    leaveWorkspaces(db, workspaceIds, [userId], organization.actor),
    stopWaiting(db, workspaceIds, userId),
  ])
  await db
    .deleteFrom('team_memberships')
    .where('organization_id', '=', organization.id)
    .where('user_id', '=', userId)
    .execute()
  await withdrawCredentials(db, organization.id, userId)
  await db
    .updateTable('users')
    .set({
      deleted_at: sql`now()`,
      updated_at: sql`now()`,
      organization_admin_since: null,
      // Leaves nothing to decrypt and nothing to find the user by.
      token_hash: hashOfToken(newToken()),
      token_sealed: Buffer.alloc(0),
    })
    .where('organization_id', '=', organization.id)
    .where('id', '=', userId)
    .execute()
  return { user, left }
}

/** Locks the workspaces that the user is in or waits for. */
async function lockWorkspacesOf(db: Db, organization: AdministeredOrganization, userId: number): Promise<number[]> {
  const { rows } = await sql<{ workspace_id: number }>`
    select workspace_id from workspace_memberships where organization_id = ${organization.id} and user_id = ${userId}
    union select workspace_id from draft_memberships where organization_id = ${organization.id} and user_id = ${userId}
  `.execute(db)
  const ids = rows.map((row) => row.workspace_id)
  await lockMembers(db, ids)
  return ids
}

async function findSoleRoles(db: Db, organization: AdministeredOrganization, user: UserRow): Promise<SoleRoles> {
  const { rows } = await sql<SoleRoles>`
    select
      ${user.organization_admin} and not exists (select from users o where o.organization_id = ${organization.id}
        and o.id <> ${user.id} and o.organization_admin_since is not null and o.deleted_at is null
      ) as only_organization_admin,
      (select t.name from teams t where t.organization_id = ${organization.id} and t.team_owner_id = ${user.id}
        order by t.id limit 1) as owned_team,
      (select w.name from workspace_memberships m
        join workspaces w on w.id = m.workspace_id
        join ${workspaceAdmins} a on a.workspace_id = m.workspace_id and a.user_id = m.user_id
        where m.organization_id = ${organization.id} and m.user_id = ${user.id}
          and not exists (select from ${workspaceAdmins} o where o.workspace_id = m.workspace_id
            and o.user_id <> m.user_id)
        order by w.id limit 1) as administered_alone`.execute(db)
  return rows[0] ?? { only_organization_admin: false, owned_team: null, administered_alone: null }
}

function refuseSoleRoles(user: UserRow, { only_organization_admin, owned_team, administered_alone }: SoleRoles): void {
  if (only_organization_admin) throw refusal('user_is_last_organization_admin', { user: user.email })
  if (owned_team !== null) throw refusal('user_owns_team', { user: user.email, team: owned_team })
  if (administered_alone !== null) {
    throw refusal('user_is_last_workspace_admin', { user: user.email, workspace: administered_alone })
  }
}
