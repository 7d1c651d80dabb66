import type { Api } from '../../../contract/index.ts'
import { admitScope } from '../../access/enter/organization.ts'
import { enterFolder, manageFolder, openFolderForUpload } from '../../access/enter/folder.ts'
import { administerWorkspace } from '../../access/enter/workspace.ts'
import { unprocessable } from '../../base/errors.ts'
import { tryOut } from '../../db/transaction.ts'
import type { Handlers } from '../../http/context.ts'
import { inviteMembers } from '../../mail/invitation.ts'
import { record } from '../../store/audit/activities.ts'
import { created } from '../../store/audit/audit.ts'
import { listSeeingGroups } from '../../store/audit/recent-activities.ts'
import {
  countPublished,
  listDrafts,
  listUninvitedTo,
  makeDraft,
  publishDrafts,
  recordPublished,
  refuseTooManyDrafts,
} from '../../store/folders/drafts.ts'
import { getMeta } from '../../store/folders/folder-content.ts'
import { insertFolder, lockTree } from '../../store/folders/folders.ts'
import { INVITED_AT_A_TIME, invitationActs } from '../../store/people/invitations.ts'

export const drafts: Handlers<Api['drafts']> = {
  list: async ({ db, actor }, { params }) => listDrafts(db, await administerWorkspace(db, actor, params.id)),

  create: async ({ db, actor }, { body: { name, ...at } }) => {
    const workspace = await administerWorkspace(db, actor, at.workspace_id)
    const parent = await openFolderForUpload(db, workspace, at.parent_id)
    await lockTree(db, workspace, 'exclusive')

    const changes = created({ name, parent_id: parent.id, is_draft: true })
    const act = { act: 'folder_added', params: { name }, subject_id: null, changes } as const
    const draft = await insertFolder(db, parent, name, act, true)
    await refuseTooManyDrafts(db, workspace)
    return draft
  },

  withdraw: async ({ db, actor }, { params, body }) => {
    const workspace = await administerWorkspace(db, actor, body.workspace_id)
    const folder = await manageFolder(db, workspace, params.id)
    if (folder.id === 0) throw unprocessable('id', 'not_root')

    await lockTree(db, workspace, 'exclusive')
    const seen_by_group_ids = await listSeeingGroups(db, folder, 'folder')
    await makeDraft(db, folder)
    await refuseTooManyDrafts(db, workspace)
    const changes = { is_draft: { before: false, after: true } }
    const act = { act: 'folder_drafted', params: { name: folder.name } } as const
    await record(db, workspace, { ...act, subject_id: folder.id, changes, seen_by_group_ids })
    return getMeta(db, await enterFolder(db, workspace, folder.id))
  },

  publish: async ({ db, actor, services }, { params, body: { folder_ids, dry_run, invitation } }) => {
    if (invitation) admitScope(actor, { scope: 'groups:write' })
    const workspace = await administerWorkspace(db, actor, params.id)
    await lockTree(db, workspace, 'exclusive')
    if (dry_run) {
      return tryOut(db, async (trial) => {
        await publishDrafts(trial, workspace, folder_ids)
        return { ...(await countPublished(trial, workspace, folder_ids)), invited: 0 }
      })
    }

    const folders = await publishDrafts(db, workspace, folder_ids)
    const changes = { is_draft: { before: true, after: false } }
    const acts = folders.map(({ id, name }) => {
      return { act: 'folder_published', params: { name }, subject_id: id, changes } as const
    })
    await record(db, workspace, ...acts)
    await recordPublished(db, workspace, folder_ids)
    const awaited = invitation ? await listUninvitedTo(db, workspace, folder_ids, INVITED_AT_A_TIME) : []
    const invited = await inviteMembers(db, workspace, services.config.publicUrl, { members: awaited, ...invitation })
    await record(db, workspace, ...invitationActs(invited))
    return { ...(await countPublished(db, workspace, folder_ids)), invited: invited.length }
  },
}
