import { sql } from 'kysely'
import type { MemberTeam, Watermark } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'

export interface WatermarkLook {
  custom_text: string
  color: string
  opacity: number
  font_size: number
  rotation: number
  hposition: 'left' | 'center' | 'right'
  vposition: 'top' | 'center' | 'bottom'
  display_user_name: boolean
  display_user_email: boolean
  display_ip_address: boolean
  display_time: boolean
  display_workspace_name: boolean
}

type Changes = { [Key in keyof WatermarkLook]?: WatermarkLook[Key] | undefined }

const lookColumns = [
  'custom_text',
  'color',
  'opacity',
  'font_size',
  'rotation',
  'hposition',
  'vposition',
  'display_user_name',
  'display_user_email',
  'display_ip_address',
  'display_time',
  'display_workspace_name',
] as const

const columns = ['id as watermark_id', 'id', 'team_id', ...lookColumns, 'created_at', 'updated_at'] as const

/** In the order of creation. */
export async function listWatermarks(db: Db, team: MemberTeam) {
  return db
    .selectFrom('watermarks')
    .select(columns)
    .where('organization_id', '=', team.organization_id)
    .where('team_id', '=', team.id)
    .orderBy('id')
    .execute()
}

export async function getWatermark(db: Db, { id, team }: Watermark) {
  return db
    .selectFrom('watermarks')
    .select(columns)
    .where('organization_id', '=', team.organization_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

export async function insertWatermark(db: Db, team: MemberTeam, look: WatermarkLook) {
  return db
    .insertInto('watermarks')
    .values({ organization_id: team.organization_id, team_id: team.id, ...look })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Returns the look and locks it against changes until the end of the transaction. */
export async function lockLook(db: Db, { id, team }: Watermark) {
  return db
    .selectFrom('watermarks')
    .select(lookColumns)
    .where('organization_id', '=', team.organization_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Changes only the given fields. */
export async function updateWatermark(db: Db, { id, team }: Watermark, changes: Changes) {
  return db
    .updateTable('watermarks')
    .set({ ...changes, updated_at: sql`now()` })
    .where('organization_id', '=', team.organization_id)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function deleteWatermark(db: Db, { id, team }: Watermark): Promise<void> {
  await db.deleteFrom('watermarks').where('organization_id', '=', team.organization_id).where('id', '=', id).execute()
}
