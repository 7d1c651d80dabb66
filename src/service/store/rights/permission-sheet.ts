import { type RawBuilder, sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { ALL_BITS, FLAGS } from '../../../contract/endpoints/permissions.ts'
import { placeIn } from '../../../contract/outline/outline.ts'
import { isAdminGroup } from '../../../contract/rules.ts'
import type { Group, Workspace } from '../../access/scopes.ts'
import { type Fragment, isBelow, rightsTableFor } from '../../access/sql.ts'
import { together } from '../../db/pipelined-dialect.ts'
import type { Db } from '../../db/pool.ts'
import { inTurns, mapInTurns } from '../../base/turns.ts'
import { isRenumbered, outlinesAmong, withoutOwnNumber } from '../folders/outlines.ts'
import { allSubfolders, look } from '../folders/subfolders.ts'
import { readLevelRights } from './level-rights.ts'
import { rightsBelow } from './rights-below.ts'
import { listVisibleRanges, type PathRange } from './visible-ranges.ts'

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
  /** With the staged rights, for admins. */
  staged?: boolean | undefined
}

/** Returns a page of the rights of groups on the levels below several folders, or on all folders below one. */
export async function getSheet(db: Db, workspace: Workspace, groups: Group[], wanted: Wanted): Promise<Sheet> {
  const limited = groups.filter((group) => !isAdminGroup(group))
  const ids = limited.map(({ id }) => id)
  const { rows, next } =
    wanted.below === undefined
      ? await getLevels(db, workspace, ids, wanted)
      : await getBelow(db, workspace, ids, { ...wanted, below: wanted.below })
  const columns = groups.map((group) => limited.indexOf(group))
  const places = isRenumbered(workspace) ? await countPlaces(db, workspace, rows) : undefined
  const whole = await mapInTurns(rows, (row) => {
    const rights = columns.map((column) => row.rights[column] ?? ALL_BITS)
    return { ...row, index: places?.get(row.id) ?? row.index, rights }
  })
  return { rows: whole, next: next?.join('.') ?? null }
}

/** The places of folders among the siblings that the caller sees. */
async function countPlaces(db: Db, workspace: Workspace, rows: readonly SheetRow[]): Promise<Map<number, number>> {
  const ids = rows.filter(({ id }) => id !== 0).map(({ id }) => id)
  const { rows: found } = await sql<{ id: number; outline: string }>`
    select n.id, n.outline from ${outlinesAmong(workspace, { ids })} n`.execute(db)
  return new Map(found.map(({ id, outline }) => [id, placeIn(outline)]))
}

async function getLevels(
  db: Db,
  workspace: Workspace,
  groupIds: readonly number[],
  { folder_ids, after, staged }: Wanted,
) {
  const [sight, rights, page] = await together(db, (one) => {
    const looking = look(one, workspace, folder_ids)
    const listing = looking.then(({ isShown }) =>
      listPlaces(one, { from: levelsOf(workspace, folder_ids, isShown), after }),
    )
    return Promise.all([looking, readLevelRights(one, workspace, groupIds, folder_ids, staged), listing])
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

async function getBelow(
  db: Db,
  workspace: Workspace,
  groupIds: readonly number[],
  { below, after, staged }: Wanted & { below: number },
) {
  const page = await listSeenPlaces(db, workspace, below, after)
  return { rows: await listRowsBelow(db, workspace, groupIds, { ...page, staged }), next: page.next }
}

/** A page of the folders below one that the caller sees, with that folder itself if it is the root. */
export async function listSeenPlaces(db: Db, workspace: Workspace, below: number, after: string | undefined) {
  const from = after === undefined ? [] : after.split('.').map(Number)
  return workspace.admin
    ? listPlaces(db, { from: everyPlace(workspace.id, below), after })
    : listVisiblePlaces(db, workspace, below, from)
}

/** A page of folders in the order of their id paths, and the path after which the next page begins. */
async function listPlaces(db: Db, { from, after }: { from: RawBuilder<unknown>; after: string | undefined }) {
  const { rows } = await sql<FoundPlace>`
    select f.id, coalesce(f.parent_id, 0) as parent_id, ${withoutOwnNumber('f')} as name, f.index, f.id_path, f.children from ${from} f
    where f.id_path > ${after?.split('.').map(Number) ?? []}::int[]
    order by f.id_path limit ${PAGE + 1}`.execute(db)
  return pageOf(rows)
}

const pageOf = <Row extends SheetPlace>(rows: readonly Row[]) => {
  const places = rows.slice(0, PAGE)
  return { places, next: rows.length > PAGE ? places.at(-1)?.id_path : undefined }
}

function everyPlace(workspaceId: number, below: number): RawBuilder<unknown> {
  const path = sql`(select id_path from folders where workspace_id = ${workspaceId} and id = ${below})`
  return sql`(select *, null as children from folders f where f.workspace_id = ${workspaceId} and f.deleted_at is null
    and ${below === 0 ? sql`true` : isBelow(sql`f.id_path`, path)})`
}

const RANGES_TOGETHER = 1000

/** The same for a caller who sees only a part. Everyone sees the root. */
async function listVisiblePlaces(db: Db, workspace: Workspace, below: number, after: readonly number[]) {
  const ranges = await listVisibleRanges(db, workspace, below, after)
  if (below === 0) ranges.unshift({ start: [0], end: [0, 0] })
  const found: SheetPlace[] = []
  for (let at = 0; at < ranges.length && found.length <= PAGE; at += RANGES_TOGETHER) {
    found.push(...(await listInRanges(db, workspace, ranges.slice(at, at + RANGES_TOGETHER), after)))
  }
  return pageOf(found)
}

async function listInRanges(db: Db, { id }: Workspace, ranges: readonly PathRange[], after: readonly number[]) {
  const textsOf = (edge: keyof PathRange) => ranges.map((range) => `{${range[edge].join(',')}}`)
  const { rows } = await sql<SheetPlace>`
    select f.id, coalesce(f.parent_id, 0) as parent_id, ${withoutOwnNumber('f')} as name, f.index, f.id_path
    from unnest(${textsOf('start')}::text[], ${textsOf('end')}::text[]) with ordinality range (first, beyond, at)
    cross join lateral (
      select * from folders d where d.workspace_id = ${id} and d.deleted_at is null and d.id_path > ${after}::int[]
        and d.id_path >= range.first::int[] and d.id_path < range.beyond::int[]
      order by d.id_path limit ${PAGE + 1}
    ) f
    order by range.at, f.id_path limit ${PAGE + 1}`.execute(db)
  return rows
}

const BIT = sql`case flag when 'view' then 1 when 'download' then 2 else 4 end`

/** The rows of folders of which a part may be beyond the page. */
async function listRowsOf(
  db: Db,
  workspace: Workspace,
  groupIds: readonly number[],
  { places, staged }: Pick<PlacesBelow, 'places' | 'staged'>,
): Promise<SheetRow[]> {
  const ids = places.map(({ id }) => id)
  const [sight, rights, { rows }] = await Promise.all([
    look(db, workspace, ids),
    readLevelRights(db, workspace, groupIds, ids, staged),
    sql<{ id: number; children: number }>`
      select f.id, ${allSubfolders} as children from folders f
      where f.workspace_id = ${workspace.id} and f.id = any(${ids}::int[])`.execute(db),
  ])
  const sizes = new Map(rows.map(({ id, children }) => [id, children]))
  return places.map(({ id, parent_id, name, index }) => {
    const children = sight.countIn(id, sizes.get(id) ?? 0)
    return { id, parent_id, name, index, children, rights: rights.onParent(id, children, sight.isSeen) }
  })
}

interface PlacesBelow {
  places: readonly SheetPlace[]
  next: readonly number[] | undefined
  staged?: boolean | undefined
}

/** Evaluates all folders of the page together, except those with a part beyond the page. */
async function listRowsBelow(
  db: Db,
  workspace: Workspace,
  groupIds: readonly number[],
  { places, next, staged }: PlacesBelow,
): Promise<SheetRow[]> {
  const first = places[0]
  const last = places.at(-1)
  if (!first || !last) return []
  // Subfolders of the page's last folder are beyond the page. If it has none, including it does no harm.
  const unfinished = next ? places.filter(({ id }) => next.includes(id)) : []
  const own = workspace.admin ? undefined : workspace.group_ids
  const [settings, known] = await Promise.all([
    listSettings(db, rightsTableFor(workspace.admin, staged), workspace.id, {
      groupIds: [...groupIds, ...(own ?? [])],
      first: first.id_path,
      last: last.id_path,
    }),
    unfinished.length > 0 ? listRowsOf(db, workspace, groupIds, { places: unfinished, staged }) : [],
  ])
  return inTurns(rightsBelow({ places, settings, groupIds, own, unfinished, known }))
}

/** Overrides in a range of folders, and above the first of them. */
async function listSettings(
  db: Db,
  table: Fragment,
  id: number,
  { groupIds, first, last }: Record<'groupIds' | 'first' | 'last', readonly number[]>,
): Promise<SheetSetting[]> {
  const { rows } = await sql<SheetSetting>`
    select folder_id, group_id, sum(${BIT})::int as set, coalesce(sum(${BIT}) filter (where value), 0)::int as value
    from (
      select folder_id, group_id, flag, value from ${table}
      where workspace_id = ${id} and group_id = any(${groupIds}::int[]) and flag = any(${FLAGS}::text[])
        and id_path >= ${first}::int[] and id_path <= ${last}::int[]
      union all
      select folder_id, group_id, flag, value from ${table}
      where workspace_id = ${id} and group_id = any(${groupIds}::int[]) and folder_id = any(${first.slice(0, -1)}::int[])
    ) setting
    group by folder_id, group_id`.execute(db)
  return rows
}
