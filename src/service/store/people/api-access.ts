import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'

export async function getApiAccess(db: Db, workspace: AdministeredWorkspace) {
  return db
    .selectFrom('workspaces')
    .select([
      'id as workspace_id',
      'api_access_enabled as enabled',
      'api_access_enabled_at as enabled_at',
      'api_access_enabled_by_id as enabled_by_id',
      'api_access_updated_at as updated_at',
    ])
    .where('organization_id', '=', workspace.organization_id)
    .where('id', '=', workspace.id)
    .executeTakeFirstOrThrow()
}

/** @returns whether the state changed */
export async function setApiAccess(db: Db, workspace: AdministeredWorkspace, enabled: boolean): Promise<boolean> {
  const changed = await db
    .updateTable('workspaces')
    .set({
      api_access_enabled: enabled,
      api_access_enabled_at: enabled ? sql`now()` : null,
      api_access_enabled_by_id: enabled ? workspace.actor.id : null,
      api_access_updated_at: sql`now()`,
    })
    .where('organization_id', '=', workspace.organization_id)
    .where('id', '=', workspace.id)
    .where('api_access_enabled', '<>', enabled)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

type ApiAccessMember = Reply<Api['workspaces']['listApiAccessMembers']>['members'][number]

/** Members of the workspace who have active personal API keys. */
export async function listApiAccessMembers(db: Db, workspace: AdministeredWorkspace): Promise<ApiAccessMember[]> {
  const { rows } = await sql<ApiAccessMember>`
    select u.id as user_id, u.first_name, u.last_name, u.email, count(*)::int as active_api_keys,
      max(k.last_used_at) as last_used_at
    from workspace_memberships m
    join users u on u.organization_id = m.organization_id and u.id = m.user_id
    join api_keys k on k.organization_id = u.organization_id and k.user_id = u.id and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > ${workspace.actor.now})
    where m.workspace_id = ${workspace.id}
    group by u.id, u.first_name, u.last_name, u.email
    order by u.id`.execute(db)
  return rows
}
