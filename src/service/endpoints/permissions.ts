import type { Api } from '../../contract/index.ts'
import { administerGroup, enterFolder, enterGroup, enterWorkspace } from '../access/enter.ts'
import { changesOf, isAdminGroup } from '../access/rules.ts'
import { unprocessable } from '../errors.ts'
import type { Handlers } from '../http/context.ts'
import { record } from '../store/activities.ts'
import type { Changes } from '../store/audit.ts'
import { type FormerFlag, listFolderPermissions, setFlags } from '../store/permissions.ts'

export const permissions: Handlers<Api['permissions']> = {
  list: async ({ db, actor }, { params, query }) => {
    const workspace = await enterWorkspace(db, actor, query.workspace_id)
    const group = await enterGroup(db, workspace, query.group_id)
    const folder = await enterFolder(db, workspace, params.id)
    return listFolderPermissions(db, group, folder)
  },

  set: async ({ db, actor }, { params, body }) => {
    const group = await administerGroup(db, actor, body.workspace_id, body.group_id)
    const folder = await enterFolder(db, group.workspace, params.id)
    if (isAdminGroup(group)) throw unprocessable('group_id', 'names a group of admins, who have every right already')

    const verb = body.verb === 'revoke' ? 'revoke' : 'grant'
    const former = await setFlags(db, group, folder, changesOf(verb, body.folder_action))

    const done = verb === 'grant' ? { verb: 'added', word: 'granted' } : { verb: 'removed', word: 'revoked' }
    const message = `${done.word} ${body.folder_action} access to ${folder.name} for group: ${group.name}`
    const at = await record(db, group.workspace, {
      verb: done.verb,
      message,
      subject_type: 'Group',
      subject_id: group.id,
      changes: { folder_id: { after: folder.id }, ...flagChanges(former, verb === 'grant') },
    })
    return { created_at: at, updated_at: at, message }
  },
}

/** For each flag what it was, the overrides below that are gone now included, and what it is. */
function flagChanges(former: FormerFlag[], value: boolean): Changes {
  return Object.fromEntries(former.map(({ flag, ...before }) => [flag, { before, after: { value } }]))
}
