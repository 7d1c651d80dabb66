import type { Api } from '../../contract/index.ts'
import { administerOrganization, asOwner, enterOrganization, enterTeam, enterTeamAsMember } from '../access/enter.ts'
import { nameOf } from '../auth/actor.ts'
import type { Handlers } from '../http/context.ts'
import { enqueueInvitation } from '../mail/invitation.ts'
import { deleteTeamMember, insertTeamMember, listTeamMembers } from '../store/team-memberships.ts'
import { getTeam, insertTeam, listTeams, setOwner, updateTeam } from '../store/teams.ts'
import { findOrInvite, toUser } from '../store/users.ts'
import { listWatermarks } from '../store/watermarks.ts'

export const teams: Handlers<Api['teams']> = {
  list: ({ db, actor }) => listTeams(db, enterOrganization(actor)),

  create: async ({ db, actor }, { body }) => {
    const id = await insertTeam(db, administerOrganization(actor), body.team)
    return getTeam(db, await enterTeam(db, actor, id))
  },

  get: async ({ db, actor }, { params }) => getTeam(db, await enterTeam(db, actor, params.id)),

  update: async ({ db, actor }, { params, body }) => {
    const team = await enterTeamAsMember(db, actor, params.id)
    const { team_owner_id, ...settings } = body.team

    if (team_owner_id !== undefined && team_owner_id !== team.team_owner_id) {
      await setOwner(db, enterOrganization(actor), asOwner(team), team_owner_id)
    }
    await updateTeam(db, team, settings)

    return getTeam(db, team)
  },

  listMembers: async ({ db, actor, services }, { params }) => {
    const rows = await listTeamMembers(db, await enterTeamAsMember(db, actor, params.id))
    const memberships = rows.map(({ member_since, membership_updated_at, ...row }) => ({
      user: toUser(services.vault, actor, row),
      created_at: member_since,
      updated_at: membership_updated_at,
    }))
    return { memberships }
  },

  addMember: async ({ db, actor, services }, { params, body }) => {
    const team = await enterTeamAsMember(db, actor, params.id)
    const user = await findOrInvite(db, services.vault, enterOrganization(actor), body)

    const { is_new, created_at, updated_at } = await insertTeamMember(db, team, user)
    if (is_new && !team.suppress_emails) {
      await enqueueInvitation(db, { to: user.email, inviter: nameOf(actor), url: services.config.publicUrl })
    }

    return { user: toUser(services.vault, actor, user), created_at, updated_at }
  },

  removeMember: async ({ db, actor }, { params, query }) =>
    deleteTeamMember(db, await enterTeamAsMember(db, actor, params.id), query.user_id),

  listWatermarkSettings: async ({ db, actor }, { params }) =>
    listWatermarks(db, await enterTeamAsMember(db, actor, params.id)),
}
