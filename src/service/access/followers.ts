import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { isLiveSession } from '../auth/session-life.ts'
import type { Workspace } from './scopes.ts'

/** What entering said once: member or not any more, admin or not. */
export type Standing = { admin: boolean } | undefined

/**
 * Who of those that entered a workspace some time ago might still enter it, in their order: user there, still a member,
 * session or personal key that they came with not ended, the key's scope not taken away. One query for all of them.
 */
export async function standingOf(db: Db, workspaces: readonly Workspace[], now: Date): Promise<Standing[]> {
  const of = <T>(fact: (workspace: Workspace) => T) => workspaces.map(fact)
  const { rows } = await sql<{ at: number; admin: boolean }>`
    select f.at, exists (select from group_memberships gm
        join groups g on g.workspace_id = gm.workspace_id and g.id = gm.group_id and g.kind = 'workspace_admins'
        where gm.workspace_id = f.workspace_id and gm.user_id = f.user_id) as admin
    from unnest(${of(({ organization_id }) => organization_id)}::int[], ${of(({ id }) => id)}::int[],
        ${of(({ actor }) => actor.id)}::int[], ${of(({ actor }) => actor.session_id ?? null)}::int[],
        ${of(({ actor }) => actor.personal_key?.id ?? null)}::int[],
        ${of(({ actor }) => actor.personal_key?.used_scope ?? null)}::text[])
      with ordinality as f (organization_id, workspace_id, user_id, session_id, key_id, scope, at)
    join users u on u.organization_id = f.organization_id and u.id = f.user_id and u.deleted_at is null
    join workspaces w on w.organization_id = f.organization_id and w.id = f.workspace_id
    join workspace_memberships m on m.workspace_id = f.workspace_id and m.user_id = f.user_id
    where (f.session_id is null or exists (select from sessions s where s.organization_id = f.organization_id
        and s.user_id = f.user_id and s.id = f.session_id and ${isLiveSession(now)}))
      and (f.key_id is null or (w.api_access_enabled and exists (select from api_keys k
        where k.organization_id = f.organization_id and k.user_id = f.user_id and k.id = f.key_id
          and f.scope = any(k.scopes) and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now}))))`.execute(
    db,
  )
  const known = new Map(rows.map(({ at, admin }) => [Number(at), { admin }]))
  return workspaces.map((_, index) => known.get(index + 1))
}
