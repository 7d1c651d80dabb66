import { type RawBuilder, sql } from 'kysely'
import type { Reply } from '../../contract/endpoint.ts'
import type { Api } from '../../contract/index.ts'
import { ALL_BITS, bitOf, FLAGS, isAdminGroup, MIXED_SHIFT } from '../../contract/permissions.ts'
import { visible } from '../access/grants.ts'
import type { Group, Workspace } from '../access/scopes.ts'
import { isBelow } from '../access/sql.ts'
import type { Db } from '../db/pool.ts'
import { inTurns, mapInTurns } from '../turns.ts'
import { folderFlags } from './permissions.ts'
import { rightsBelow } from './rights-below.ts'

type Sheet = Reply<Api['permissions']['sheet']>
type SheetRow = Sheet['rows'][number]

/** Rows per page. */
const PAGE = 10_000

/** A folder of a page, before its rights are known. */
export interface SheetPlace extends Omit<SheetRow, 'children' | 'rights'> {
  id_path: number[]
}

/** Overrides of a group on a folder, as bits (view, download, upload): `set` for all, `value` for the granted ones. */
export interface SheetSetting {
  folder_id: number
  group_id: number
  set: number
  value: number
}

interface Wanted {
  folder_ids: readonly number[]
  below?: number | undefined
  after?: string | undefined
}

/** Returns a page of the rights of groups on the levels below several folders, or on all folders below one. */
export async function getSheet(db: Db, workspace: Workspace, groups: Group[], wanted: Wanted): Promise<Sheet> {
  const { places, next } = await listPlaces(db, workspace, wanted)
  const limited = groups.filter((group) => !isAdminGroup(group))
  const ids = limited.map(({ id }) => id)
  const rows =
    wanted.below === undefined
      ? await listRows(db, workspace, ids, places)
      : await listRowsBelow(db, workspace, ids, places, next)
  const columns = groups.map((group) => limited.indexOf(group))
  const whole = await mapInTurns(rows, (row) => {
    return { ...row, rights: columns.map((column) => row.rights[column] ?? ALL_BITS) }
  })
  return { rows: whole, next: next?.join('.') ?? null }
}

/** The folders of the page that the caller can see, and the path after which the next page begins. */
async function listPlaces(db: Db, workspace: Workspace, { folder_ids, below, after }: Wanted) {
  const { id } = workspace
  const within = below === undefined ? sql`f.parent_id = any(${folder_ids}::int[])` : subtree(id, below)
  const root = below === undefined ? folder_ids.includes(0) : below === 0
  const { rows } = await sql<SheetPlace>`
    select f.id, coalesce(f.parent_id, 0) as parent_id, f.name, f.index, f.id_path from folders f
    where f.workspace_id = ${id} and f.deleted_at is null and (${within}${root ? sql` or f.id = 0` : sql``})
      and (f.id = 0 or ${visible(workspace, sql`f.id_path`)}) and f.id_path > ${after?.split('.').map(Number) ?? []}::int[]
    order by f.id_path limit ${PAGE + 1}`.execute(db)
  const places = rows.slice(0, PAGE)
  return { places, next: rows.length > PAGE ? places.at(-1)?.id_path : undefined }
}

/** Selects a subtree by one range of id paths. Every path is below the root's. */
function subtree(workspaceId: number, below: number): RawBuilder<boolean> {
  if (below === 0) return sql`true`
  const path = sql`(select id_path from folders where workspace_id = ${workspaceId} and id = ${below})`
  return isBelow(sql`f.id_path`, path)
}

/** Evaluates each folder by itself: the folders below it need not be in the page. */
async function listRows(db: Db, workspace: Workspace, groupIds: readonly number[], places: readonly SheetPlace[]) {
  const bits = FLAGS.flatMap((flag) => [
    sql`flags.${sql.ref(flag)}::int * ${sql.lit(bitOf(flag))}`,
    sql`flags.${sql.ref(`is_mixed_${flag}`)}::int * ${sql.lit(bitOf(flag) << MIXED_SHIFT)}`,
  ])
  const { rows } = await sql<SheetRow>`
    select f.id, coalesce(f.parent_id, 0) as parent_id, f.name, f.index,
      (select count(*) from folders c where c.workspace_id = f.workspace_id and c.parent_id = f.id
        and c.deleted_at is null and ${visible(workspace, sql`c.id_path`)}) as children,
      array(select ${sql.join(bits, sql` + `)}
        from unnest(${groupIds}::int[]) with ordinality wanted (id, place)
        cross join lateral ${folderFlags(workspace, sql`wanted.id`)} flags order by wanted.place) as rights
    from folders f
    where f.workspace_id = ${workspace.id} and f.id = any(${places.map(({ id }) => id)}::int[])
      and f.deleted_at is null and (f.id = 0 or ${visible(workspace, sql`f.id_path`)})
    order by f.id_path`.execute(db)
  return rows
}

/** Evaluates all folders of the page together, except those with a part beyond the page. */
async function listRowsBelow(
  db: Db,
  workspace: Workspace,
  groupIds: readonly number[],
  places: readonly SheetPlace[],
  next: readonly number[] | undefined,
): Promise<SheetRow[]> {
  const first = places[0]
  const last = places.at(-1)
  if (!first || !last) return []
  // Subfolders of the page's last folder are beyond the page. If it has none, including it does no harm.
  const unfinished = next ? places.filter(({ id }) => next.includes(id)) : []
  const own = workspace.admin ? undefined : workspace.group_ids
  const [settings, known] = await Promise.all([
    listSettings(db, workspace, [...groupIds, ...(own ?? [])], first.id_path, last.id_path),
    listRows(db, workspace, groupIds, unfinished),
  ])
  return inTurns(rightsBelow({ places, settings, groupIds, own, unfinished, known }))
}

/** Overrides in a range of folders, and above the first of them. */
async function listSettings(
  db: Db,
  { id }: Workspace,
  groupIds: readonly number[],
  first: readonly number[],
  last: readonly number[],
): Promise<SheetSetting[]> {
  const bit = sql`case flag when 'view' then 1 when 'download' then 2 else 4 end`
  const { rows } = await sql<SheetSetting>`
    select folder_id, group_id, sum(${bit})::int as set, coalesce(sum(${bit}) filter (where value), 0)::int as value
    from (
      select folder_id, group_id, flag, value from folder_permissions
      where workspace_id = ${id} and group_id = any(${groupIds}::int[]) and flag = any(${FLAGS}::text[])
        and id_path >= ${first}::int[] and id_path <= ${last}::int[]
      union all
      select folder_id, group_id, flag, value from folder_permissions
      where workspace_id = ${id} and group_id = any(${groupIds}::int[]) and folder_id = any(${first.slice(0, -1)}::int[])
    ) setting
    group by folder_id, group_id`.execute(db)
  return rows
}
