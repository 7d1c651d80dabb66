import type { Api } from '../../contract/index.ts'
import { administerOrganization, enterOrganization } from '../access/enter/organization.ts'
import { enterTeam, enterTeamAsMember, ownedTeam } from '../access/enter/team.ts'
import type { Team } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'
import { refusal } from '../base/errors.ts'
import { fromReplica, type Handlers } from '../http/context.ts'
import { enqueueInvitation } from '../mail/invitation.ts'
import { type Changes, changesBetween, created, naming, recordForOrganization, removed } from '../store/audit/audit.ts'
import { deleteTeamMember, insertTeamMember, listTeamMembers } from '../store/teams/team-memberships.ts'
import {
  getTeam,
  insertTeam,
  listTeams,
  lockTeamSettings,
  measureTeam,
  setOwner,
  updateTeam,
} from '../store/teams/teams.ts'
import { findOrInvite, getUser, holdKnownUser, toUser, type UserRow } from '../store/people/users.ts'
import { listWatermarks } from '../store/workspaces/watermarks.ts'
import { mapInTurns } from '../base/turns.ts'

export const teams: Handlers<Api['teams']> = {
  list: ({ db, actor }) => listTeams(db, enterOrganization(actor)),

  create: async ({ db, actor }, { body }) => {
    const id = await insertTeam(db, administerOrganization(actor), body.team)
    const team = await enterTeam(db, actor, id)
    await recordTeam(db, team, 'team_created', team.name, created(body.team))
    return getTeam(db, team)
  },

  get: async ({ db, actor }, { params }) => getTeam(db, await enterTeam(db, actor, params.id)),

  update: async ({ db, actor }, { params, body }) => {
    const team = await enterTeamAsMember(db, actor, params.id)
    const { team_owner_id, ...settings } = body.team

    if (team_owner_id !== undefined && team_owner_id !== team.team_owner_id) {
      const owner = await holdKnownUser(db, enterOrganization(actor), team_owner_id)
      const team_name = await setOwner(db, enterOrganization(actor), ownedTeam(team), team_owner_id)
      const changes = { team_owner_id: { before: team.team_owner_id, after: team_owner_id } }
      await recordMember(db, team, 'team_owner_changed', owner, team_name, changes)
    }
    const before = await lockTeamSettings(db, team)
    const changes = changesBetween(before, settings)
    if (changes) {
      await updateTeam(db, team, settings)
      await recordTeam(db, team, 'team_updated', settings.name ?? before.name, changes)
    }

    return getTeam(db, team)
  },

  listMembers: async ({ db, actor, services }, { params }) => {
    const rows = await listTeamMembers(db, await enterTeamAsMember(db, actor, params.id))
    const memberships = await mapInTurns(rows, ({ member_since, membership_updated_at, ...row }) => ({
      user: toUser(services.vault, actor, row),
      created_at: member_since,
      updated_at: membership_updated_at,
    }))
    return { memberships }
  },

  addMember: async ({ db, actor, services }, { params, body }) => {
    const team = await enterTeamAsMember(db, actor, params.id)
    const user = await findOrInvite(db, services.vault, enterOrganization(actor), body)

    const { is_new, team_name, created_at, updated_at } = await insertTeamMember(db, team, user)
    if (!is_new) throw refusal('already_team_member')
    const added = created({ user_id: user.id })
    await recordMember(db, team, 'team_member_added', user, team_name, added)
    if (!team.suppress_emails) {
      await enqueueInvitation(db, actor, { to: user.email, url: services.config.publicUrl })
    }

    return { user: toUser(services.vault, actor, user), created_at, updated_at }
  },

  removeMember: async ({ db, actor }, { params, query }) => {
    const team = await enterTeamAsMember(db, actor, params.id)
    const team_name = await deleteTeamMember(db, team, query.user_id)
    const user = await getUser(db, enterOrganization(actor), query.user_id)
    const gone = removed({ user_id: user.id })
    await recordMember(db, team, 'team_member_removed', user, team_name, gone)
  },

  listWatermarkSettings: async ({ db, actor }, { params }) =>
    listWatermarks(db, await enterTeamAsMember(db, actor, params.id)),

  usage: fromReplica(async ({ db, actor }, { params }) =>
    measureTeam(db, await enterTeamAsMember(db, actor, params.id)),
  ),
}

async function recordTeam(
  db: Db,
  team: Team,
  act: 'team_created' | 'team_updated',
  name: string,
  changes: Changes,
): Promise<void> {
  const deed = { act, params: { name }, subject_id: team.id, changes }
  await recordForOrganization(db, enterOrganization(team.actor), deed)
}

async function recordMember(
  db: Db,
  team: Team,
  act: 'team_owner_changed' | 'team_member_added' | 'team_member_removed',
  user: UserRow,
  team_name: string,
  changes: Changes,
): Promise<void> {
  const deed = { act, ...naming(user, { team: team_name }), subject_id: team.id, changes }
  await recordForOrganization(db, enterOrganization(team.actor), deed)
}
