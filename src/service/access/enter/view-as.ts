import { sql } from 'kysely'
import { todayOf } from '../../auth/actor.ts'
import type { Db } from '../../db/pool.ts'
import { readOnly } from '../../db/transaction.ts'
import type { AdministeredWorkspace, Workspace } from '../scopes.ts'
import { unprocessable } from '../../base/errors.ts'
import { isActive } from '../sql.ts'
import { enterGroup } from './group.ts'
import { foreseeEntry } from './workspace.ts'
import { isAdminGroup } from '../../../contract/rules.ts'

export type Reader = { group_id: number } | { user_id: number }

/** The reader whose view is asked for. Checked after the caller is known to be an admin. */
export function readerIn({ group_id, user_id }: Partial<Record<'group_id' | 'user_id', number | undefined>>): Reader {
  if ((group_id === undefined) === (user_id === undefined)) throw unprocessable('group_id', 'group_or_user')
  return group_id === undefined ? { user_id: user_id ?? 0 } : { group_id }
}

/**
 * Reads the workspace with the scope that a group or user would enter with, so an admin sees exactly what is enforced.
 * The database refuses every change meanwhile, and the actor remains the admin: nothing can happen in another's name.
 * @throws ApiError 404 if the group does not exist or the user is not a member
 */
export function viewAs<Result>(
  db: Db,
  workspace: AdministeredWorkspace,
  reader: Reader,
  read: (db: Db, seen: Workspace) => Promise<Result>,
): Promise<Result> {
  return readOnly(db, async (tx) => {
    const seen = await ('user_id' in reader
      ? enterAsUser(tx, workspace, reader.user_id)
      : enterAsGroup(tx, workspace, reader.group_id))
    return read(tx, seen)
  })
}

/** The reader in the place of the actor, only to read what belongs to a person: files that others have added, visits. */
export const inTheirPlace = (seen: Workspace, reader: Reader): Workspace => ({
  ...seen,
  actor: { ...seen.actor, id: 'user_id' in reader ? reader.user_id : NOBODY },
})

/** No user has this id. */
const NOBODY = 0

const enterAsUser = async (db: Db, workspace: AdministeredWorkspace, userId: number): Promise<Workspace> =>
  (await foreseeEntry(db, workspace, userId)).seen

/** @throws ApiError 404 if the workspace has no such group */
export async function enterAsGroup(db: Db, workspace: AdministeredWorkspace, groupId: number): Promise<Workspace> {
  const group = await enterGroup(db, workspace, groupId)
  const { rows } = await sql<{ active: boolean; manages: boolean; seals: boolean }>`
    select file_managing_abilities as manages, drm_enabled as seals, ${isActive('groups', todayOf(workspace.actor))} as active
    from groups where workspace_id = ${workspace.id} and id = ${group.id}`.execute(db)
  const { active = false, manages = false, seals = false } = rows[0] ?? {}
  return {
    ...workspace,
    admin: isAdminGroup(group),
    group_ids: active ? [group.id] : [],
    managing_group_ids: active && manages ? [group.id] : [],
    sealing_group_ids: active && seals ? [group.id] : [],
  } as Workspace
}
