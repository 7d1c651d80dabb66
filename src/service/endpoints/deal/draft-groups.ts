import type { Api } from '../../../contract/index.ts'
import { administerGroup } from '../../access/enter/group.ts'
import { administerWorkspace } from '../../access/enter/workspace.ts'
import { paginationOf } from '../../content/page-headers.ts'
import { refusal, unprocessable } from '../../base/errors.ts'
import type { Handlers } from '../../http/context.ts'
import { inviteMembers } from '../../mail/invitation.ts'
import { type Activity, record } from '../../store/audit/activities.ts'
import { countUninvited, INVITED_AT_A_TIME, invitationActs, listUninvited } from '../../store/people/invitations.ts'
import { foreseePublishing, type Moved, publishGroup, withdrawGroup } from '../../store/workspaces/draft-groups.ts'
import { getGroup } from '../../store/workspaces/groups.ts'
import { groupMembershipAct, membershipAct } from '../../store/workspaces/membership-acts.ts'
import { listWaitingPeople } from '../../store/workspaces/waiting-people.ts'
import { isBuiltIn } from '../../../contract/rules.ts'

export const draftGroups: Handlers<Api['draftGroups']> = {
  listWaiting: async ({ db, actor }, { params, query }) => {
    const workspace = await administerWorkspace(db, actor, params.id)
    const { people, total_items } = await listWaitingPeople(db, workspace, query)
    return { pagination: paginationOf(total_items, query), people }
  },

  withdraw: async ({ db, actor }, { params, body }) => {
    const group = await administerGroup(db, actor, body.workspace_id, params.id)
    if (isBuiltIn(group)) throw unprocessable('id', 'own_group')

    const { name, members } = await withdrawGroup(db, group)
    const changes = { is_draft: { before: false, after: true } }
    const act = { act: 'group_drafted', params: { name }, subject_id: group.id, changes } as const
    await record(db, group.workspace, act, ...movingActs('removed', name, members))
    return getGroup(db, group)
  },

  publish: async ({ db, actor, services }, { params, body: { workspace_id, dry_run, invitation } }) => {
    const group = await administerGroup(db, actor, workspace_id, params.id)
    if (!group.is_draft) throw refusal('group_not_draft')
    const foreseen = await foreseePublishing(db, group)
    if (dry_run) return { ...foreseen, invited: 0 }

    const { name, members } = await publishGroup(db, group)
    const changes = { is_draft: { before: true, after: false } }
    const act = { act: 'group_published', params: { name }, subject_id: group.id, changes } as const
    const awaited = invitation ? await listUninvited(db, group, INVITED_AT_A_TIME) : []
    const invited = await inviteMembers(db, group.workspace, services.config.publicUrl, {
      members: awaited,
      ...invitation,
    })
    await record(db, group.workspace, act, ...movingActs('added', name, members), ...invitationActs(invited))
    return { ...foreseen, uninvited: await countUninvited(db, group), invited: invited.length }
  },
}

/** For each person the membership of the group, and that of the workspace if it came or went with it. */
const movingActs = (done: 'added' | 'removed', name: string, members: readonly Moved[]): Activity[] =>
  members.flatMap(({ group_membership_id, membership_id, ...user }) => [
    groupMembershipAct(done, group_membership_id, user, { name, is_draft: false }),
    ...(membership_id === null ? [] : [membershipAct(done, membership_id, user)]),
  ])
