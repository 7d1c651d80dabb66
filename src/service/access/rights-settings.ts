import type { FlagSetting } from '../../contract/endpoints/permissions.ts'
import { isAdminGroup, settingOf } from '../../contract/rules.ts'
import { unprocessable } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { managedGroup } from './enter/group.ts'
import type { AdministeredGroup, AdministeredWorkspace } from './scopes.ts'

/** Rights to set on a folder and everything below it; `null` inherits them from the folder above. */
export interface RightsSetting {
  group: AdministeredGroup
  folder_id: number
  rights: FlagSetting | null
}

export interface RightsChange {
  folder_id: number
  group_id: number
  rights: FlagSetting | null
}

/**
 * Reads changes of rights, each with the flags that come with others.
 * @throws ApiError 404 for an absent group, 422 for the admins' and for contradictory rights
 */
export async function settingsOf(
  db: Db,
  workspace: AdministeredWorkspace,
  changes: readonly RightsChange[],
): Promise<RightsSetting[]> {
  const limited = async (id: number): Promise<[number, AdministeredGroup]> => {
    const group = await managedGroup(db, workspace, id)
    if (isAdminGroup(group)) throw unprocessable('changes', 'groups_with_limited_rights', { group: group.name })
    return [id, group]
  }
  const groups = new Map(await Promise.all([...new Set(changes.map(({ group_id }) => group_id))].map(limited)))
  return changes.flatMap(({ folder_id, group_id, rights }, at) => {
    const setting = rights && settingOf(rights)
    if (setting === undefined) throw unprocessable(`changes[${at}].rights`, 'rights_with_view')
    const group = groups.get(group_id)
    return group ? [{ folder_id, group, rights: setting }] : []
  })
}
