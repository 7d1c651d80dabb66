import type { Api } from '../../contract/index.ts'
import { administerGroup, enterGroup } from '../access/enter/group.ts'
import { enterOrganization } from '../access/enter/organization.ts'
import { administerWorkspace, enterWorkspace } from '../access/enter/workspace.ts'
import { isAdminGroup, isBuiltIn } from '../access/rules.ts'
import type { AdministeredGroup, AdministeredWorkspace } from '../access/scopes.ts'
import { todayOf } from '../auth/actor.ts'
import type { Db } from '../db/pool.ts'
import { unprocessable } from '../errors.ts'
import type { Handlers } from '../http/context.ts'
import { enqueueInvitation } from '../mail/invitation.ts'
import { type Act, record } from '../store/activities.ts'
import { type Changes, created, naming, removed } from '../store/audit.ts'
import { deleteGroupMember, getTeamRules, insertGroupMember, listGroupMembers } from '../store/group-memberships.ts'
import { deleteGroup, getGroup, insertGroup, listGroups, lockGroup, updateGroup } from '../store/groups.ts'
import { findOrInvite, holdUser, toUser } from '../store/users.ts'
import { mapInTurns } from '../turns.ts'

export const groups: Handlers<Api['groups']> = {
  create: async ({ db, actor }, { body }) => {
    const workspace = await administerWorkspace(db, actor, body.group.workspace_id)

    const id = await insertGroup(db, workspace, body.group)
    const { workspace_id: _, ...settings } = body.group
    const changes = created(settings)
    await record(db, workspace, { ...groupAct(id, 'created', `added the group: ${body.group.name}`), changes })

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
    if (isBuiltIn(group) && name !== before.name) throw unprocessable('group.name', 'of a built-in group is fixed')
    if (file_managing_abilities) refuseAdmins(group, 'group.file_managing_abilities')

    const acts: Act[] = []
    if (name !== before.name) {
      const changes = { name: { before: before.name, after: name } }
      acts.push({ ...groupAct(group.id, 'renamed', `renamed the group ${before.name} to ${name}`), changes })
    }
    if (file_managing_abilities !== before.file_managing_abilities) {
      const changes = {
        file_managing_abilities: { before: before.file_managing_abilities, after: file_managing_abilities },
      }
      acts.push({ ...groupAct(group.id, 'updated', `updated file_managing_abilities for group: ${name}`), changes })
    }
    if (acts.length === 0) acts.push(groupAct(group.id, 'updated', `updated the group: ${name}`))
    await record(db, group.workspace, ...acts)
    return updateGroup(db, group, { name, file_managing_abilities })
  },

  remove: async ({ db, actor }, { params, query }) => {
    const group = await administerGroup(db, actor, query.workspace_id, params.id)
    if (isBuiltIn(group)) throw unprocessable('id', 'names a built-in group, which stays')

    const { name, drm_enabled, drm_expires_after, watermarked, pdf_delivery, ...row } = await lockGroup(db, group)
    const { expire_workspace_access_at, file_managing_abilities } = row
    const settings = { name, drm_enabled, drm_expires_after, watermarked, pdf_delivery, expire_workspace_access_at }
    const { left, member_ids } = await deleteGroup(db, group)
    const changes = removed({ ...settings, file_managing_abilities, member_ids })
    await record(
      db,
      group.workspace,
      { ...groupAct(group.id, 'deleted', `deleted the group: ${name}`), changes },
      ...left.map((each) => membershipAct('deleted', each.id, each.user)),
    )

    return { id: group.id, name }
  },

  setDrm: async ({ db, actor }, { params, body }) => {
    const group = await administerGroup(db, actor, body.workspace_id, params.id)
    const { drm_enabled, drm_expires_after } = body.group
    refuseAdmins(group, 'group.drm_enabled')
    if (drm_enabled && !(await getTeamRules(db, group.workspace)).drm_enabled) {
      throw unprocessable('group.drm_enabled', 'needs a team that has DRM')
    }
    if (drm_expires_after !== undefined && drm_expires_after < todayOf(actor)) {
      throw unprocessable('group.drm_expires_after', 'must not be in the past')
    }

    const before = await lockGroup(db, group)
    await recordRights(
      db,
      group.workspace,
      before,
      drm_enabled,
      { drm_enabled: { before: before.drm_enabled, after: drm_enabled } },
      'DRM',
    )
    if (drm_expires_after !== undefined) {
      const changes = { drm_expires_after: { before: before.drm_expires_after, after: drm_expires_after } }
      await recordRights(db, group.workspace, before, true, changes, 'Drm Expires After')
    }
    return updateGroup(db, group, { drm_enabled, drm_expires_after })
  },

  removeDrmExpiration: async ({ db, actor }, { params, body }) => {
    const group = await administerGroup(db, actor, body.workspace_id, params.id)
    const before = await lockGroup(db, group)
    if (before.drm_expires_after === null) return before
    const changes = { drm_expires_after: { before: before.drm_expires_after, after: null } }
    await recordRights(db, group.workspace, before, false, changes, 'Drm Expires After')
    return updateGroup(db, group, { drm_expires_after: null })
  },

  setWatermarking: async ({ db, actor }, { params, body }) => {
    const group = await administerGroup(db, actor, body.workspace_id, params.id)
    const { watermarking } = body.group
    refuseAdmins(group, 'group.watermarking')
    const rules = await getTeamRules(db, group.workspace)
    if (watermarking && !rules.watermarking) {
      throw unprocessable('group.watermarking', 'needs a team that has watermarking')
    }

    const before = await lockGroup(db, group)
    const { pdf_delivery = before.pdf_delivery } = body.group
    if (pdf_delivery !== before.pdf_delivery && pdf_delivery !== 'woven' && !rules.page_pictures) {
      throw unprocessable('group.pdf_delivery', 'needs a team that has pictures of pages')
    }
    const after = { watermarked: watermarking, pdf_delivery }
    const changes = {
      watermarked: { before: before.watermarked, after: watermarking },
      ...(pdf_delivery !== before.pdf_delivery && {
        pdf_delivery: { before: before.pdf_delivery, after: pdf_delivery },
      }),
    }
    await recordRights(db, group.workspace, before, watermarking, changes, 'View Watermarked', 'Download Watermarked')
    return updateGroup(db, group, after)
  },

  setAccessExpiry: async ({ db, actor }, { params, body }) => {
    const group = await administerGroup(db, actor, body.workspace_id, params.id)
    const date = body.group.expire_workspace_access_at
    refuseAdmins(group, 'group.expire_workspace_access_at')
    if (date <= todayOf(actor)) throw unprocessable('group.expire_workspace_access_at', 'must be in the future')

    const before = await lockGroup(db, group)
    const message = `set workspace access to expire on ${date} for group: ${before.name}`
    const changes = { expire_workspace_access_at: { before: before.expire_workspace_access_at, after: date } }
    await record(db, group.workspace, { ...groupAct(group.id, 'added', message), changes })
    return updateGroup(db, group, { expire_workspace_access_at: date })
  },

  removeAccessExpiry: async ({ db, actor }, { params, body }) => {
    const group = await administerGroup(db, actor, body.workspace_id, params.id)
    const before = await lockGroup(db, group)
    if (before.expire_workspace_access === 'false') return before
    const message = `set workspace access expiration to false for group: ${before.name}`
    const changes = { expire_workspace_access_at: { before: before.expire_workspace_access_at, after: null } }
    await record(db, group.workspace, { ...groupAct(group.id, 'revoked', message), changes })
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
    await recordMembership(db, group, 'created', user, added)
    if (added.workspace_membership_id !== undefined && body.send_email) {
      await invite(db, group, user.email, services.config.publicUrl)
    }

    return { ...toUser(services.vault, actor, user), group_id: group.id, user_id: user.id }
  },

  removeMember: async ({ db, actor }, { params, query }) => {
    const group = await administerGroup(db, actor, query.workspace_id, params.id)
    const user = await holdUser(db, enterOrganization(actor), query.user_id)

    const ended = await deleteGroupMember(db, group, user.id)
    await recordMembership(db, group, 'deleted', user, ended)
  },
}

function refuseAdmins(group: AdministeredGroup, field: string): void {
  if (isAdminGroup(group)) throw unprocessable(field, 'does not apply to a group of admins, who may do everything')
}

function groupAct(id: number, verb: string, message: string): Act {
  return { verb, message, subject_type: 'Group', subject_id: id }
}

/** Records one activity for each protection that is granted or revoked together. */
async function recordRights(
  db: Db,
  workspace: AdministeredWorkspace,
  group: { id: number; name: string },
  granted: boolean,
  changes: Changes,
  ...rights: string[]
): Promise<void> {
  const verb = granted ? 'granted' : 'revoked'
  const acts = rights.map((right) => ({
    ...groupAct(group.id, verb, `${verb} ${right} rights for group: ${group.name}`),
    changes,
  }))
  await record(db, workspace, ...acts)
}

type Named = Parameters<typeof naming>[0]

function membershipAct(verb: 'created' | 'deleted', id: number, user: Named): Act {
  const words = (name: string) =>
    verb === 'created' ? `added ${name} to this workspace` : `removed ${name} from this workspace`
  return { verb, ...naming(user, words), subject_type: 'Membership', subject_id: id, changes: userChange(verb, user) }
}

const userChange = (verb: 'created' | 'deleted', { id: user_id }: Named): Changes =>
  verb === 'created' ? created({ user_id }) : removed({ user_id })

/** Records which memberships began or ended: that of the group, that of the workspace, both or neither. */
async function recordMembership(
  db: Db,
  group: AdministeredGroup,
  verb: 'created' | 'deleted',
  user: Named,
  ids: { group_name: string; group_membership_id: number | undefined; workspace_membership_id: number | undefined },
): Promise<void> {
  const acts: Act[] = []
  if (ids.group_membership_id !== undefined) {
    const words = (name: string) =>
      verb === 'created' ? `added ${name} to group ${ids.group_name}` : `removed ${name} from group ${ids.group_name}`
    const subject = { subject_type: 'GroupMembership', subject_id: ids.group_membership_id } as const
    acts.push({ verb, ...naming(user, words), ...subject, changes: userChange(verb, user) })
  }
  if (ids.workspace_membership_id !== undefined) acts.push(membershipAct(verb, ids.workspace_membership_id, user))
  if (acts.length > 0) await record(db, group.workspace, ...acts)
}

async function invite(db: Db, { workspace }: AdministeredGroup, to: string, publicUrl: string): Promise<void> {
  if ((await getTeamRules(db, workspace)).suppress_emails) return
  const url = `${publicUrl}/workspaces/${workspace.id}`
  await enqueueInvitation(db, workspace.actor, { to, workspace_name: workspace.name, url })
}
