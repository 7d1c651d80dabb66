import { sql } from 'kysely'
import { workspaceAdmins } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'

/** Whom mails about a workspace itself go to, with its name. */
export async function listAdminAddresses(db: Db, workspaceId: number): Promise<{ email: string; name: string }[]> {
  const { rows } = await sql<{ email: string; name: string }>`
    select u.email, w.name from workspaces w
    join ${workspaceAdmins} a on a.workspace_id = w.id
    join users u on u.organization_id = w.organization_id and u.id = a.user_id
    where w.id = ${workspaceId}`.execute(db)
  return rows
}
