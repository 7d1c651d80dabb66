import type { Api } from '../../contract/index.ts'
import { administerGroup } from '../access/enter/group.ts'
import { enterOrganization } from '../access/enter/organization.ts'
import { enterTeamAsMember, enterWatermark } from '../access/enter/team.ts'
import type { MemberTeam } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'
import { notFound } from '../base/errors.ts'
import type { Handlers } from '../http/context.ts'
import { type Changes, changesBetween, created, recordForOrganization, removed } from '../store/audit/audit.ts'
import { listGroupMembers } from '../store/workspaces/group-memberships.ts'
import { findMarkingOf, findReader, SAMPLE_IP } from '../store/downloads/marks.ts'
import {
  deleteWatermark,
  getWatermark,
  insertWatermark,
  lockLook,
  updateWatermark,
} from '../store/workspaces/watermarks.ts'

export const watermarks: Handlers<Api['watermarks']> = {
  create: async ({ db, actor }, { body }) => {
    const { team_id, ...look } = body
    const team = await enterTeamAsMember(db, actor, team_id)
    const watermark = await insertWatermark(db, team, look)
    await recordWatermark(db, team, watermark.id, 'watermark_added', created(look))
    return watermark
  },

  get: async ({ db, actor }, { params }) => getWatermark(db, await enterWatermark(db, actor, params.id)),

  update: async ({ db, actor }, { params, body }) => {
    const watermark = await enterWatermark(db, actor, params.id)
    const changes = changesBetween(await lockLook(db, watermark), body)
    if (!changes) return getWatermark(db, watermark)
    await recordWatermark(db, watermark.team, watermark.id, 'watermark_updated', changes)
    return updateWatermark(db, watermark, body)
  },

  remove: async ({ db, actor }, { params }) => {
    const watermark = await enterWatermark(db, actor, params.id)
    const changes = removed(await lockLook(db, watermark))
    await deleteWatermark(db, watermark)
    await recordWatermark(db, watermark.team, watermark.id, 'watermark_deleted', changes)
    return { status: 200, message: 'The watermark was deleted.' }
  },

  preview: async ({ db, actor, services }, { body: { team_id, watermarks: looks, ...page } }) => {
    await enterTeamAsMember(db, actor, team_id)
    const reader = await findReader(db, actor, 'Name of the workspace')
    return services.marker.preview({ looks, reader }, page)
  },

  previewForMember: async ({ db, actor, services }, { params, query: { user_id, workspace_id, ...page } }) => {
    const group = await administerGroup(db, actor, workspace_id, params.id)
    const members = await listGroupMembers(db, group)
    if (!members.some((member) => member.id === user_id)) throw notFound()
    const marking = await findMarkingOf(db, { workspace_id, user_id, ip: SAMPLE_IP, at: actor.now })
    return services.marker.preview(marking, page)
  },
}

async function recordWatermark(
  db: Db,
  team: MemberTeam,
  id: number,
  act: 'watermark_added' | 'watermark_updated' | 'watermark_deleted',
  changes: Changes,
): Promise<void> {
  const deed = { act, params: { team: team.name }, subject_id: id, changes }
  await recordForOrganization(db, enterOrganization(team.actor), deed)
}
