import type { Reply } from '../../contract/endpoint.ts'
import type { Api } from '../../contract/index.ts'
import { isAdminGroup, isBuiltIn } from '../../contract/rules.ts'
import { administerGroup, enterGroup } from '../access/enter/group.ts'
import { enterOrganization } from '../access/enter/organization.ts'
import { nameUser } from '../access/enter/user.ts'
import { administerWorkspace, enterWorkspace } from '../access/enter/workspace.ts'
import type { AdministeredGroup, AdministeredWorkspace } from '../access/scopes.ts'
import { todayOf } from '../auth/actor.ts'
import type { Db } from '../db/pool.ts'
import { transaction } from '../db/transaction.ts'
import { refusal, unprocessable } from '../base/errors.ts'
import { type Handlers, inOneStatement } from '../http/context.ts'
import { inviteMember, inviteMembers } from '../mail/invitation.ts'
import { type Activity, record, recordLast } from '../store/audit/activities.ts'
import { type Changes, created, type Named, removed } from '../store/audit/audit.ts'
import { deleteWaiting, listWaiting } from '../store/workspaces/draft-groups.ts'
import { groupMembershipAct, membershipAct } from '../store/workspaces/membership-acts.ts'
import {
  deleteGroupMember,
  getTeamRules,
  insertGroupMember,
  judgeRemoval,
  listGroupMembers,
} from '../store/workspaces/group-memberships.ts'
import {
  deleteGroup,
  getGroup,
  hasRemovedExpiry,
  insertGroup,
  listGroups,
  lockGroup,
  updateGroup,
} from '../store/workspaces/groups.ts'
import { countUninvited, INVITED_AT_A_TIME, invitationActs, listUninvited } from '../store/people/invitations.ts'
import { findOrInvite, toUser, type UserRow } from '../store/people/users.ts'
import { lockTerms } from '../store/terms/drafts.ts'
import { mapInTurns } from '../base/turns.ts'

type Invitation = NonNullable<Reply<Api['groups']['addMember']>['invitation']>

export const groups: Handlers<Api['groups']> = {
  create: async ({ db, actor }, { body }) => {
    const { workspace_id, ...settings } = body.group
    const workspace = await administerWorkspace(db, actor, workspace_id)

    const id = await insertGroup(db, workspace, settings)
    const changes = created(settings)
    await record(db, workspace, { act: 'group_added', params: { name: settings.name }, subject_id: id, changes })

    return getGroup(db, { id, workspace })
  },

  list: async ({ db, actor }, { query }) => listGroups(db, await enterWorkspace(db, actor, query.workspace_id)),

  get: async ({ db, actor }, { params, query }) => {
    const workspace = await enterWorkspace(db, actor, query.workspace_id)
    return getGroup(db, await enterGroup(db, workspace, params.id))
  },

  update: async ({ db, actor }, { params, body }) => {
    const group = await administerGroup(db, actor, body.workspace_id, params.id)
    const before = await lockGroup(db, group)
    const { name = before.name, file_managing_abilities = before.file_managing_abilities } = body.group
    if (isBuiltIn(group) && name !== before.name) throw unprocessable('group.name', 'fixed_name')
    if (file_managing_abilities) refuseAdmins(group, 'group.file_managing_abilities')
    const { text_layer = before.text_layer } = body.group
    if (text_layer !== before.text_layer) refuseAdmins(group, 'group.text_layer')

    const acts: Activity[] = []
    if (name !== before.name) {
      const changes = { name: { before: before.name, after: name } }
      acts.push({ act: 'group_renamed', params: { old: before.name, name }, subject_id: group.id, changes })
    }
    if (file_managing_abilities !== before.file_managing_abilities) {
      const changes = {
        file_managing_abilities: { before: before.file_managing_abilities, after: file_managing_abilities },
      }
      acts.push({ act: 'file_managing_updated', params: { name }, subject_id: group.id, changes })
    }
    if (text_layer !== before.text_layer) {
      const changes = { text_layer: { before: before.text_layer, after: text_layer } }
      acts.push({ act: 'text_layer_updated', params: { name }, subject_id: group.id, changes })
    }
    if (acts.length === 0) acts.push({ act: 'group_updated', params: { name }, subject_id: group.id })
    await record(db, group.workspace, ...acts)
    return updateGroup(db, group, body.group)
  },

  remove: async ({ db, actor }, { params, query }) => {
    const group = await administerGroup(db, actor, query.workspace_id, params.id)
    if (isBuiltIn(group)) throw unprocessable('id', 'own_group')

    // Sent together: its terms go with the group, and are locked first, as the workspace is everywhere.
    const [, locked] = await Promise.all([lockTerms(db, group.workspace), lockGroup(db, group)])
    const { name, drm_enabled, drm_expires_after, watermarked, pdf_delivery, ...row } = locked
    const { expire_workspace_access_at, file_managing_abilities, text_layer } = row
    const settings = { name, drm_enabled, drm_expires_after, watermarked, pdf_delivery, expire_workspace_access_at }
    const { left, member_ids } = await deleteGroup(db, group)
    const changes = removed({ ...settings, file_managing_abilities, text_layer, member_ids })
    await record(
      db,
      group.workspace,
      { act: 'group_deleted', params: { name }, subject_id: group.id, changes },
      ...left.map((each) => membershipAct('removed', each.id, each.user)),
    )

    return { id: group.id, name }
  },

  setDrm: async ({ db, actor }, { params, body }) => {
    const group = await administerGroup(db, actor, body.workspace_id, params.id)
    const { drm_enabled, drm_expires_after } = body.group
    refuseAdmins(group, 'group.drm_enabled')
    if (drm_enabled && !(await getTeamRules(db, group.workspace)).drm_enabled) {
      throw unprocessable('group.drm_enabled', 'team_with_drm')
    }
    if (drm_expires_after !== undefined && drm_expires_after < todayOf(actor)) {
      throw unprocessable('group.drm_expires_after', 'not_past')
    }

    const before = await lockGroup(db, group)
    const switched = { drm_enabled: { before: before.drm_enabled, after: drm_enabled } }
    await recordRights(db, group.workspace, before, drm_enabled, switched, 'drm')
    if (drm_expires_after !== undefined) {
      const changes = { drm_expires_after: { before: before.drm_expires_after, after: drm_expires_after } }
      await recordRights(db, group.workspace, before, true, changes, 'drm_expiry')
    }
    return updateGroup(db, group, { drm_enabled, drm_expires_after })
  },

  removeDrmExpiration: async ({ db, actor }, { params, body }) => {
    const group = await administerGroup(db, actor, body.workspace_id, params.id)
    const before = await lockGroup(db, group)
    if (before.drm_expires_after === null) return before
    const changes = { drm_expires_after: { before: before.drm_expires_after, after: null } }
    await recordRights(db, group.workspace, before, false, changes, 'drm_expiry')
    return updateGroup(db, group, { drm_expires_after: null })
  },

  setWatermarking: async ({ db, actor }, { params, body }) => {
    const group = await administerGroup(db, actor, body.workspace_id, params.id)
    const { watermarking } = body.group
    refuseAdmins(group, 'group.watermarking')
    const rules = await getTeamRules(db, group.workspace)
    if (watermarking && !rules.watermarking) {
      throw unprocessable('group.watermarking', 'team_with_watermarking')
    }

    const before = await lockGroup(db, group)
    const { pdf_delivery = before.pdf_delivery } = body.group
    if (pdf_delivery !== before.pdf_delivery && pdf_delivery !== 'woven' && !rules.page_pictures) {
      throw unprocessable('group.pdf_delivery', 'team_with_page_pictures')
    }
    const after = { watermarked: watermarking, pdf_delivery }
    const changes = {
      watermarked: { before: before.watermarked, after: watermarking },
      ...(pdf_delivery !== before.pdf_delivery && {
        pdf_delivery: { before: before.pdf_delivery, after: pdf_delivery },
      }),
    }
    await recordRights(db, group.workspace, before, watermarking, changes, 'view_watermark', 'download_watermark')
    return updateGroup(db, group, after)
  },

  setAccessExpiry: async ({ db, actor }, { params, body }) => {
    const group = await administerGroup(db, actor, body.workspace_id, params.id)
    const date = body.group.expire_workspace_access_at
    refuseAdmins(group, 'group.expire_workspace_access_at')
    if (date <= todayOf(actor)) throw unprocessable('group.expire_workspace_access_at', 'future_date')

    const before = await lockGroup(db, group)
    const changes = { expire_workspace_access_at: { before: before.expire_workspace_access_at, after: date } }
    const isUndone = body.undo === true && (await hasRemovedExpiry(db, group, date))
    await record(db, group.workspace, {
      act: isUndone ? 'access_expiry_removal_undone' : 'access_expiry_set',
      params: { date, group: before.name },
      subject_id: group.id,
      changes,
    })
    return updateGroup(db, group, { expire_workspace_access_at: date })
  },

  removeAccessExpiry: async ({ db, actor }, { params, body }) => {
    const group = await administerGroup(db, actor, body.workspace_id, params.id)
    const before = await lockGroup(db, group)
    if (before.expire_workspace_access === 'false') return before
    const changes = { expire_workspace_access_at: { before: before.expire_workspace_access_at, after: null } }
    await record(db, group.workspace, {
      act: 'access_expiry_removed',
      params: { group: before.name },
      subject_id: group.id,
      changes,
    })
    return updateGroup(db, group, { expire_workspace_access_at: null })
  },

  listMembers: async ({ db, actor, services }, { params, query }) => {
    const group = await administerGroup(db, actor, query.workspace_id, params.id)
    const people = group.is_draft ? await listWaiting(db, group) : await listGroupMembers(db, group)
    return mapInTurns(people, (row) => toUser(services.vault, actor, row))
  },

  addMember: inOneStatement(async ({ db, actor, services }, { params, body }) => {
    const group = await administerGroup(db, actor, body.workspace_id, params.id)
    const { vault, config } = services
    const { user_id, send_email } = body
    const add = (tx: Db, user: Named) =>
      insertGroupMember(tx, group, user, (to) => [
        groupMembershipAct('added', null, user, to),
        membershipAct('added', null, user),
      ])
    const memberOf = (user: UserRow, invitation: Invitation | null) => ({
      ...toUser(vault, actor, user),
      group_id: group.id,
      user_id: user.id,
      invitation,
    })
    if (!send_email && !isAdminGroup(group) && user_id !== undefined) {
      return memberOf((await add(db, await nameUser(db, group.workspace, user_id))).user, null)
    }
    return transaction(db, async (tx) => {
      const user = await findOrInvite(tx, vault, enterOrganization(actor), body)
      const { isUninvited, waits } = await add(tx, user)
      if (!send_email || waits) return memberOf(user, null)
      if (!isUninvited) return memberOf(user, 'known')
      const letter = { member: user, message: body.message }
      return memberOf(user, await inviteMember(tx, group.workspace, config.publicUrl, letter))
    })
  }),

  invite: async ({ db, actor, services }, { params, body }) => {
    const group = await administerGroup(db, actor, body.workspace_id, params.id)
    if (group.is_draft) throw refusal('group_is_draft')
    const members = await listUninvited(db, group, INVITED_AT_A_TIME)
    const invited = await inviteMembers(db, group.workspace, services.config.publicUrl, { members, ...body })
    await record(db, group.workspace, ...invitationActs(invited))
    return { invited: invited.length, left: await countUninvited(db, group) }
  },

  removeMember: async ({ db, actor }, { params, query }) => {
    const group = await administerGroup(db, actor, query.workspace_id, params.id)
    if (group.is_draft) {
      const { user, name, membership_id } = await deleteWaiting(db, enterOrganization(actor), group, query.user_id)
      const act = groupMembershipAct('removed', membership_id, user, { name, is_draft: true })
      await record(db, group.workspace, act)
      return
    }

    const leaving = await judgeRemoval(db, enterOrganization(actor), group, query.user_id)
    const { user, group_name, group_membership_id, workspace_membership_id } = leaving
    const acts = [groupMembershipAct('removed', group_membership_id, user, { name: group_name, is_draft: false })]
    if (workspace_membership_id !== null) acts.push(membershipAct('removed', workspace_membership_id, user))
    await recordLast(db, group.workspace, acts, () => deleteGroupMember(db, group, leaving))
  },
}

function refuseAdmins(group: AdministeredGroup, field: string): void {
  if (isAdminGroup(group)) throw unprocessable(field, 'group_without_admins')
}

/** Records one activity for each protection that is granted or revoked together. */
async function recordRights(
  db: Db,
  workspace: AdministeredWorkspace,
  group: { id: number; name: string },
  granted: boolean,
  changes: Changes,
  ...rights: ('drm' | 'drm_expiry' | 'view_watermark' | 'download_watermark')[]
): Promise<void> {
  const facts = { params: { group: group.name }, subject_id: group.id, changes }
  await record(
    db,
    workspace,
    ...rights.map((right) => ({ act: `${right}_${granted ? 'granted' : 'revoked'}` as const, ...facts })),
  )
}
