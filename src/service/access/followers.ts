import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { isLiveSession } from '../auth/session-life.ts'
import { stampOf } from '../base/secrets.ts'
import type { Workspace } from './scopes.ts'
import { standingIn, termsAwait } from './sql.ts'

/** Whether the follower is an admin, and the groups that grant rights today; undefined without access, also while terms await. */
export type Standing = { admin: boolean; group_ids: readonly number[] } | undefined

/**
 * Returns, in their order, the standing of callers who entered a workspace some time ago. Each must still exist and be
 * a member who awaits no terms. The session or personal key that they came with must not have ended, and the key must have the same scope
 * and secret. One query covers all of them.
 */
export async function standingOf(db: Db, workspaces: readonly Workspace[], now: Date): Promise<Standing[]> {
  const of = <T>(fact: (workspace: Workspace) => T) => workspaces.map(fact)
  const today = now.toISOString().slice(0, 10)
  const { rows } = await sql<{ at: number; admin: boolean; group_ids: number[]; secret_sealed: Buffer | null }>`
    select f.at, standing.admin, standing.group_ids, k.secret_sealed
    from unnest(${of(({ organization_id }) => organization_id)}::int[], ${of(({ id }) => id)}::int[],
        ${of(({ actor }) => actor.id)}::int[], ${of(({ actor }) => actor.session_id ?? null)}::int[],
        ${of(({ actor }) => actor.personal_key?.id ?? null)}::int[],
        ${of(({ actor }) => actor.personal_key?.used_scope ?? null)}::text[])
      with ordinality as f (organization_id, workspace_id, user_id, session_id, key_id, scope, at)
    join users u on u.organization_id = f.organization_id and u.id = f.user_id and u.deleted_at is null
    join workspaces w on w.organization_id = f.organization_id and w.id = f.workspace_id
    join workspace_memberships m on m.workspace_id = f.workspace_id and m.user_id = f.user_id
    left join api_keys k on k.organization_id = f.organization_id and k.user_id = f.user_id and k.id = f.key_id
    cross join lateral ${standingIn(sql`f.workspace_id`, sql`f.user_id`, today)} standing
    where (f.session_id is null or exists (select from sessions s where s.organization_id = f.organization_id
        and s.user_id = f.user_id and s.id = f.session_id and ${isLiveSession(now)}))
      and (f.key_id is null or (w.api_access_enabled and f.scope = any(k.scopes) and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > ${now})))
      and not ${termsAwait}`.execute(db)
  const known = new Map(rows.map((row) => [Number(row.at), row]))
  return workspaces.map(({ actor: { personal_key } }, index) => {
    const row = known.get(index + 1)
    if (!row || (personal_key && personal_key.secret_stamp !== stampOf(row.secret_sealed!))) return undefined
    return { admin: row.admin, group_ids: row.group_ids }
  })
}
