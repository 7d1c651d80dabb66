import type { Api } from '../../contract/index.ts'
import { isAdminGroup, isBuiltIn } from '../../contract/rules.ts'
import { administerGroup, enterGroup } from '../access/enter/group.ts'
import { enterOrganization } from '../access/enter/organization.ts'
import { administerWorkspace, enterWorkspace } from '../access/enter/workspace.ts'
import type { AdministeredGroup, AdministeredWorkspace } from '../access/scopes.ts'
import { todayOf } from '../auth/actor.ts'
import type { Db } from '../db/pool.ts'
import { committing } from '../db/pipelined-dialect.ts'
import { unprocessable } from '../base/errors.ts'
import type { Handlers } from '../http/context.ts'
import { enqueueInvitation } from '../mail/invitation.ts'
import { type Activity, record } from '../store/audit/activities.ts'
import { type Changes, created, type Named, naming, removed } from '../store/audit/audit.ts'
import {
  deleteGroupMember,
  getTeamRules,
  insertGroupMember,
  listGroupMembers,
} from '../store/workspaces/group-memberships.ts'
import { deleteGroup, getGroup, insertGroup, listGroups, lockGroup, updateGroup } from '../store/workspaces/groups.ts'
import { findOrInvite, holdUser, toUser } from '../store/people/users.ts'
import { mapInTurns } from '../base/turns.ts'

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
    if (acts.length === 0) acts.push({ act: 'group_updated', params: { name }, subject_id: group.id })
    await record(db, group.workspace, ...acts)
    return updateGroup(db, group, body.group)
  },

  remove: async ({ db, actor }, { params, query }) => {
    const group = await administerGroup(db, actor, query.workspace_id, params.id)
    if (isBuiltIn(group)) throw unprocessable('id', 'own_group')

    const { name, drm_enabled, drm_expires_after, watermarked, pdf_delivery, ...row } = await lockGroup(db, group)
    const { expire_workspace_access_at, file_managing_abilities } = row
    const settings = { name, drm_enabled, drm_expires_after, watermarked, pdf_delivery, expire_workspace_access_at }
    const { left, member_ids } = await deleteGroup(db, group)
    const changes = removed({ ...settings, file_managing_abilities, member_ids })
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
    await record(db, group.workspace, {
      act: 'access_expiry_set',
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
    return mapInTurns(await listGroupMembers(db, group), (row) => toUser(services.vault, actor, row))
  },

  addMember: async ({ db, actor, services }, { params, body }) => {
    const group = await administerGroup(db, actor, body.workspace_id, params.id)
    const user = await findOrInvite(db, services.vault, enterOrganization(actor), body)

    const added = await insertGroupMember(db, group, user)
    if (added.workspace_membership_id !== undefined && body.send_email) {
      await invite(db, group, user.email, services.config.publicUrl)
    }
    await committing(db, () => recordMembership(db, group, 'added', user, added))

    return { ...toUser(services.vault, actor, user), group_id: group.id, user_id: user.id }
  },

  removeMember: async ({ db, actor }, { params, query }) => {
    const group = await administerGroup(db, actor, query.workspace_id, params.id)
    const user = await holdUser(db, enterOrganization(actor), query.user_id)

    const ended = await deleteGroupMember(db, group, user.id)
    await recordMembership(db, group, 'removed', user, ended)
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

type Done = 'added' | 'removed'

const membershipAct = (done: Done, id: number, user: Named): Activity => ({
  act: `member_${done}`,
  ...naming(user),
  subject_id: id,
  changes: userChange(done, user),
})

const userChange = (done: Done, { id: user_id }: Named): Changes =>
  done === 'added' ? created({ user_id }) : removed({ user_id })

/** Records which memberships began or ended: that of the group, that of the workspace, both or neither. */
async function recordMembership(
  db: Db,
  group: AdministeredGroup,
  done: Done,
  user: Named,
  ids: { group_name: string; group_membership_id: number | undefined; workspace_membership_id: number | undefined },
): Promise<void> {
  const acts: Activity[] = []
  if (ids.group_membership_id !== undefined) {
    const named = naming(user, { group: ids.group_name })
    const changes = userChange(done, user)
    acts.push({ act: `group_member_${done}`, ...named, subject_id: ids.group_membership_id, changes })
  }
  if (ids.workspace_membership_id !== undefined) acts.push(membershipAct(done, ids.workspace_membership_id, user))
  if (acts.length > 0) await record(db, group.workspace, ...acts)
}

async function invite(db: Db, { workspace }: AdministeredGroup, to: string, publicUrl: string): Promise<void> {
  if ((await getTeamRules(db, workspace)).suppress_emails) return
  const url = `${publicUrl}/workspaces/${workspace.id}`
  await enqueueInvitation(db, workspace.actor, { to, workspace_name: workspace.name, url })
}
