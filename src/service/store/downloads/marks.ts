import { sql } from 'kysely'
import type { Workspace } from '../../access/scopes.ts'
import { DEFAULT_LOOK } from '../../../contract/endpoints/looks/default-look.ts'
import { type Actor, nameOf } from '../../auth/actor.ts'
import type { Db } from '../../db/pool.ts'
import type { WatermarkLook } from '../workspaces/watermarks.ts'

/**
 * The reader, with the time and the address of the reading. All of it is known to the service; the request supplies
 * nothing. The name is the one that an admin of the workspace saw last.
 */
export interface Reader {
  first_name: string
  last_name: string
  email: string
  ip: string
  /** A name of the IANA database. */
  time_zone: string
  workspace_name: string
  at: Date
}

/** The marks of a team, and the reader they are for. */
export interface Marking {
  /** Oldest first. */
  looks: readonly WatermarkLook[]
  reader: Reader
}

interface Reading {
  workspace_id: number
  user_id: number
  ip: string
  at: Date
}

/** The mark of the caller at present. */
export function findMarking(db: Db, { id, actor }: Workspace): Promise<Marking> {
  return findMarkingOf(db, { workspace_id: id, user_id: actor.id, ip: actor.ip, at: actor.now })
}

/** The mark of the user for whom the work is done. @throws Error if there is no such user or workspace */
export async function findMarkingOf(db: Db, { workspace_id, user_id, ip, at }: Reading): Promise<Marking> {
  const { rows } = await sql<Omit<Reader, 'ip' | 'at'> & { looks: WatermarkLook[] }>`
    select coalesce(m.marked_first_name, u.first_name) as first_name,
      coalesce(m.marked_last_name, u.last_name) as last_name, u.email, u.time_zone, w.name as workspace_name,
      coalesce((select json_agg(l order by l.id) from watermarks l
        where l.organization_id = w.organization_id and l.team_id = w.team_id), '[]') as looks
    from workspaces w
    join users u on u.organization_id = w.organization_id
    left join workspace_memberships m on m.workspace_id = w.id and m.user_id = u.id
    where w.id = ${workspace_id} and u.id = ${user_id}`.execute(db)
  if (!rows[0]) throw new Error('nobody is known to mark for')
  const { looks, ...reader } = rows[0]
  return { looks: looks.map(lookOf), reader: { ...reader, ip, at } }
}

/** An address reserved for documentation: the one of a future reader is unknown. */
export const SAMPLE_IP = '203.0.113.7'

/**
 * The mark that a person or a member of a group would have, for a caller who looks at it beforehand. Its name, which
 * every placement then has, says that it is a preview: a picture of it must not pass for a page of that person's.
 */
export async function findForeseenMarking(
  db: Db,
  { id: workspace_id, actor }: Workspace,
  who: { group_id: number } | { user_id: number },
): Promise<Marking> {
  const user_id = 'user_id' in who ? who.user_id : actor.id
  const { looks, reader } = await findMarkingOf(db, { workspace_id, user_id, ip: SAMPLE_IP, at: actor.now })
  const group =
    'group_id' in who &&
    (await db
      .selectFrom('groups')
      .select('name')
      .where('workspace_id', '=', workspace_id)
      .where('id', '=', who.group_id)
      .executeTakeFirstOrThrow())
  const name = group ? group.name : nameOf(reader)
  const foreseen = { ...reader, ...(group && { email: '' }), first_name: 'Preview:', last_name: name }
  const placements = looks.length > 0 ? looks : [lookOf({ ...DEFAULT_LOOK })]
  return { looks: placements.map((look) => ({ ...look, display_user_name: true })), reader: foreseen }
}

/** A user of the organization as the reader of a workspace that need not exist. */
export async function findReader(
  db: Db,
  { id, organization_id, ip, now: at }: Pick<Actor, 'id' | 'organization_id' | 'ip' | 'now'>,
  workspace_name: string,
): Promise<Reader> {
  const user = await db
    .selectFrom('users')
    .select(['first_name', 'last_name', 'email', 'time_zone'])
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...user, workspace_name, ip, at }
}

/** Drops the fields that change no mark, so that equal looks compare equal. */
function lookOf(row: WatermarkLook): WatermarkLook {
  const { custom_text, color, opacity, font_size, rotation, hposition, vposition } = row
  const { display_user_name, display_user_email, display_ip_address, display_time, display_workspace_name } = row
  const display = { display_user_name, display_user_email, display_ip_address, display_time, display_workspace_name }
  return { custom_text, color, opacity, font_size, rotation, hposition, vposition, ...display }
}
