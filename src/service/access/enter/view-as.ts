import { sql } from 'kysely'
import { todayOf } from '../../auth/actor.ts'
import type { Db } from '../../db/pool.ts'
import type { AdministeredWorkspace, Workspace } from '../scopes.ts'
import { isActive } from '../sql.ts'
import { enterGroup } from './group.ts'
import { enterWorkspace } from './workspace.ts'
import { isAdminGroup } from '../../../contract/rules.ts'

/**
 * Returns the workspace scope that a group or user would enter with, so an admin sees exactly what is enforced. The
 * scope is for reading only.
 * @throws ApiError 404 if the group does not exist or the user is not a member
 */
export async function viewAs(
  db: Db,
  workspace: AdministeredWorkspace,
  who: { group_id: number } | { user_id: number },
): Promise<Workspace> {
  if ('user_id' in who) {
    return enterWorkspace(db, { ...workspace.actor, personal_key: undefined, id: who.user_id }, workspace.id)
  }
  const group = await enterGroup(db, workspace, who.group_id)
  const { rows } = await sql<{ active: boolean; manages: boolean }>`
    select file_managing_abilities as manages, ${isActive('groups', todayOf(workspace.actor))} as active
    from groups where workspace_id = ${workspace.id} and id = ${group.id}`.execute(db)
  const { active = false, manages = false } = rows[0] ?? {}
  return {
    ...workspace,
    admin: isAdminGroup(group),
    group_ids: active ? [group.id] : [],
    managing_group_ids: active && manages ? [group.id] : [],
  } as Workspace
}
