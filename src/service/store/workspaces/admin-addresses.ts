import { sql } from 'kysely'
import { isWorkspaceAdmin, workspaceAdmins } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'

interface Admin {
  workspace_id: number
  user_id: number
}

interface AdminAddress {
  admin: Admin
  email: string
  name: string
}

/** Whom mails about a workspace itself go to, with its name. */
export async function listAdminAddresses(db: Db, workspaceId: number): Promise<AdminAddress[]> {
  const { rows } = await sql<AdminAddress>`
    select json_build_object('workspace_id', w.id, 'user_id', u.id) as admin, u.email, w.name from workspaces w
    join ${workspaceAdmins} a on a.workspace_id = w.id
    join users u on u.organization_id = w.organization_id and u.id = a.user_id
    where w.id = ${workspaceId}`.execute(db)
  return rows
}

/** Whether an address is that of a user who administers a workspace now. */
export async function isAdminAddress(db: Db, { workspace_id, user_id }: Admin, email: string): Promise<boolean> {
  const { rows } = await sql`
    select from workspaces w join users u on u.organization_id = w.organization_id and u.id = ${user_id}
    where w.id = ${workspace_id} and u.email = ${email} and u.deleted_at is null
      and ${isWorkspaceAdmin(sql`w.id`, sql`u.id`)}`.execute(db)
  return rows.length > 0
}
