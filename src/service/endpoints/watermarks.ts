import type { Api } from '../../contract/index.ts'
import { enterTeamAsMember, enterWatermark } from '../access/enter.ts'
import type { Handlers } from '../http/context.ts'
import { deleteWatermark, getWatermark, insertWatermark, updateWatermark } from '../store/watermarks.ts'

export const watermarks: Handlers<Api['watermarks']> = {
  create: async ({ db, actor }, { body }) => {
    const { team_id, ...look } = body
    return insertWatermark(db, await enterTeamAsMember(db, actor, team_id), look)
  },

  get: async ({ db, actor }, { params }) => getWatermark(db, await enterWatermark(db, actor, params.id)),

  update: async ({ db, actor }, { params, body }) =>
    updateWatermark(db, await enterWatermark(db, actor, params.id), body),

  remove: async ({ db, actor }, { params }) => {
    await deleteWatermark(db, await enterWatermark(db, actor, params.id))
    return { status: 200, message: 'The watermark was deleted.' }
  },
}
