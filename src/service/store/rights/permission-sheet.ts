import { type RawBuilder, sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { ALL_BITS, type Flag, FLAGS, MIXED_SHIFT } from '../../../contract/endpoints/permissions.ts'
import { bitOf, isAdminGroup } from '../../../contract/rules.ts'
import { visible } from '../../access/grants.ts'
import type { Group, Workspace } from '../../access/scopes.ts'
import { type Fragment, hasRight, isBelow } from '../../access/sql.ts'
import { together } from '../../db/pipelined-dialect.ts'
import type { Db } from '../../db/pool.ts'
import { inTurns, mapInTurns } from '../../base/turns.ts'
import { allSubfolders, look, shownSubfolders } from '../folders/subfolders.ts'
import { readLevelRights } from './level-rights.ts'
import { rightsBelow } from './rights-below.ts'

type Sheet = Reply<Api['permissions']['sheet']>
type SheetRow = Sheet['rows'][number]

/** Rows per page. */
const PAGE = 10_000

/** A folder of a page, before its rights are known. */
export interface SheetPlace extends Omit<SheetRow, 'children' | 'rights'> {
  id_path: number[]
}

/** A folder as it was found, with the number of all its subfolders where they were counted. */
interface FoundPlace extends SheetPlace {
  children: number | null
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
  const limited = groups.filter((group) => !isAdminGroup(group))
  const ids = limited.map(({ id }) => id)
  const { rows, next } =
    wanted.below === undefined
      ? await getLevels(db, workspace, ids, wanted)
      : await getBelow(db, workspace, ids, wanted.below, wanted)
  const columns = groups.map((group) => limited.indexOf(group))
  const whole = await mapInTurns(rows, (row) => {
    return { ...row, rights: columns.map((column) => row.rights[column] ?? ALL_BITS) }
  })
  return { rows: whole, next: next?.join('.') ?? null }
}

async function getLevels(db: Db, workspace: Workspace, groupIds: readonly number[], { folder_ids, after }: Wanted) {
  const [sight, rights, page] = await together(db, (one) => {
    const looking = look(one, workspace, folder_ids)
    const listing = looking.then(({ isShown }) =>
      listPlaces(one, { from: levelsOf(workspace, folder_ids, isShown), after }),
    )
    return Promise.all([looking, readLevelRights(one, workspace, groupIds, folder_ids), listing])
  })
  const rows = await mapInTurns(page.places, (place) => {
    const { id, parent_id, name, index } = place
    const all = place.children ?? 0
    const children = id === 0 ? sight.countIn(0, all) : sight.countBelow(place, all)
    const bits = id === 0 ? rights.onParent(0, children, sight.isSeen) : rights.on(place, children)
    return { id, parent_id, name, index, children, rights: bits }
  })
  return { rows, next: page.next }
}

/** The shown subfolders `f` of some folders; the root itself, if its level is among them. */
const levelsOf = (workspace: Workspace, folderIds: readonly number[], isShown: RawBuilder<boolean>) => sql`(
  select *, ${allSubfolders} as children from folders f where ${isShown}
  union all
  select *, ${allSubfolders} as children from folders f
  where f.workspace_id = ${workspace.id} and f.id = 0 and ${folderIds.includes(0)})`

async function getBelow(db: Db, workspace: Workspace, groupIds: readonly number[], below: number, { after }: Wanted) {
  const { places, next } = await listPlaces(db, {
    from: sql`(select *, null as children from folders f
      where f.workspace_id = ${workspace.id} and f.deleted_at is null and ${subtree(workspace.id, below)}
        and (f.id = 0 or ${visible(workspace, sql`f.id_path`)}))`,
    after,
  })
  return { rows: await listRowsBelow(db, workspace, groupIds, places, next), next }
}

/** A page of folders in the order of their id paths, and the path after which the next page begins. */
async function listPlaces(db: Db, { from, after }: { from: RawBuilder<unknown>; after: string | undefined }) {
  const { rows } = await sql<FoundPlace>`
    select f.id, coalesce(f.parent_id, 0) as parent_id, f.name, f.index, f.id_path, f.children from ${from} f
    where f.id_path > ${after?.split('.').map(Number) ?? []}::int[]
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

const BIT = sql`case flag when 'view' then 1 when 'download' then 2 else 4 end`

/** Evaluates each visible folder by itself: the folders below it need not be in the page. */
export async function listRows(
  db: Db,
  workspace: Workspace,
  groupIds: readonly number[],
  places: readonly SheetPlace[],
) {
  const bits = FLAGS.flatMap((flag) => [
    sql`flags.${sql.ref(flag)}::int * ${sql.lit(bitOf(flag))}`,
    sql`flags.${sql.ref(`is_mixed_${flag}`)}::int * ${sql.lit(bitOf(flag) << MIXED_SHIFT)}`,
  ])
  const { rows } = await sql<SheetRow>`
    select f.id, coalesce(f.parent_id, 0) as parent_id, f.name, f.index, ${shownSubfolders(workspace)} as children,
      array(select ${sql.join(bits, sql` + `)}
        from unnest(${groupIds}::int[]) with ordinality wanted (id, place)
        cross join lateral ${folderFlags(workspace, sql`wanted.id`)} flags order by wanted.place) as rights
    from folders f
    where f.workspace_id = ${workspace.id} and f.id = any(${places.map(({ id }) => id)}::int[])
      and f.deleted_at is null
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
  const { rows } = await sql<SheetSetting>`
    select folder_id, group_id, sum(${BIT})::int as set, coalesce(sum(${BIT}) filter (where value), 0)::int as value
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

/**
 * Flags of a group on the folder `f`, for a lateral join: the value of the nearest row, and whether the value differs
 * among the descendants that the caller can see.
 */
function folderFlags(workspace: Workspace, groupId: Fragment) {
  const right = (flag: Flag) =>
    hasRight({ workspaceId: sql`f.workspace_id`, groupId, flag: sql.lit(flag), idPath: sql`f.id_path` })
  const mixed = (flag: Flag) => isMixed(workspace, groupId, flag, sql.ref(`own.${flag}`))
  return sql`(
    select own.view, ${mixed('view')} as is_mixed_view, own.download, ${mixed('download')} as is_mixed_download,
      own.upload, ${mixed('upload')} as is_mixed_upload
    from (select ${right('view')} as view, ${right('download')} as download, ${right('upload')} as upload) own)`
}

/**
 * Whether some descendants have the value v and some do not: a row ≠ v below, and a child that inherits v or a row = v
 * below. A hidden folder has nothing visible below it, so its rows and the rows below it say nothing about visible
 * folders.
 */
function isMixed(workspace: Workspace, groupId: Fragment, flag: Flag, value: ReturnType<typeof sql.ref>) {
  const below = sql`select from folder_permissions p where p.workspace_id = f.workspace_id and p.group_id = ${groupId}
    and p.flag = ${sql.lit(flag)} and ${isBelow(sql`p.id_path`, sql`f.id_path`)}
    and ${visible(workspace, sql`p.id_path`)}`
  const inheritingChild = sql`select from folders c where c.workspace_id = f.workspace_id and c.parent_id = f.id
    and c.deleted_at is null and ${visible(workspace, sql`c.id_path`)}
    and not exists (select from folder_permissions p where p.workspace_id = c.workspace_id
      and p.group_id = ${groupId} and p.folder_id = c.id and p.flag = ${sql.lit(flag)})`
  return sql`(exists (${below} and p.value <> ${value}) and (exists (${below} and p.value = ${value}) or exists (${inheritingChild})))`
}
