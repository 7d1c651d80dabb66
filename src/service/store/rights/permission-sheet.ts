import { type RawBuilder, sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { ALL_BITS, FLAGS, MIXED_SHIFT } from '../../../contract/endpoints/permissions.ts'
import { bitOf, isAdminGroup } from '../../../contract/rules.ts'
import { viewableAmong, visible } from '../../access/grants.ts'
import type { Group, Workspace } from '../../access/scopes.ts'
import { isBelow, isInSubtree, nearestInOnePass } from '../../access/sql.ts'
import { inOnePass } from '../../db/one-set.ts'
import type { Db } from '../../db/pool.ts'
import { transaction } from '../../db/transaction.ts'
import { inTurns, mapInTurns } from '../../base/turns.ts'
import { allSubfolders, look, shownSubfolders } from '../folders/subfolders.ts'
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

/** A folder as it was found, with the number of all its subfolders where they were counted. */
interface FoundPlace extends SheetPlace {
  children: number | null
}

/** A folder of some levels, with the number of subfolders that the caller sees. */
interface LevelPlace extends SheetPlace {
  children: number
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
  const sight = await look(db, workspace, folder_ids)
  const root = sql`select *, ${allSubfolders} as children from folders f
    where f.workspace_id = ${workspace.id} and f.id = 0 and ${folder_ids.includes(0)}`
  const page = await listPlaces(db, {
    from: sql`(select *, ${allSubfolders} as children from folders f where ${sight.isShown} union all ${root})`,
    after,
  })
  const places = await mapInTurns(page.places, (place) => {
    const { id } = place
    const children = place.children ?? 0
    return { ...place, children: id === 0 ? sight.countIn(0, children) : sight.countBelow(place, children) }
  })
  return { rows: await listLevels(db, workspace, groupIds, places), next: page.next }
}

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

/** From this many rights (folders times groups) on, reading all overrides once costs less than a look at each right. */
const MANY_CELLS = 5000

function listLevels(db: Db, workspace: Workspace, groupIds: readonly number[], places: readonly LevelPlace[]) {
  if (places.length * groupIds.length < MANY_CELLS) return listRowsOfLevels(db, workspace, groupIds, places)
  return transaction(db, (tx) => inOnePass(tx, () => listRowsInOnePass(tx, workspace, groupIds, places)))
}

async function listRowsOfLevels(
  db: Db,
  workspace: Workspace,
  groupIds: readonly number[],
  places: readonly LevelPlace[],
): Promise<SheetRow[]> {
  const rows = await listRows(db, workspace, groupIds, places)
  const known = new Map(places.map(({ id, children }) => [id, children]))
  return mapInTurns(rows, (row) => ({ ...row, children: known.get(row.id) ?? 0 }))
}

/** Returns the same as `listRows`, by one pass over all overrides on the paths of the folders and below them. */
export async function listRowsInOnePass(
  db: Db,
  workspace: Workspace,
  groupIds: readonly number[],
  places: readonly LevelPlace[],
): Promise<SheetRow[]> {
  const ids = places.map(({ id }) => id)
  const above = [...new Set(places.flatMap(({ id_path }) => id_path))]
  const own = sql`p.workspace_id = ${workspace.id} and p.group_id = any(${workspace.group_ids}::int[]) and p.flag = 'view'`
  const last = places.at(-1)
  // The folders below the last ones of the page, and below a folder of the page that these are in.
  const outermost = places.find(({ id }) => last?.id_path.includes(id))
  const nearest = nearestInOnePass({
    of: sql`p.id, o.group_id, o.flag`,
    columns: sql`p.id, o.group_id, o.flag, o.value`,
    places: sql`place`,
    join: 'join',
    overrides: sql`setting`,
    on: sql`true`,
  })
  const seen = workspace.admin ? sql`` : sql`join seen on seen.id = s.folder_id`
  const { rows } = await sql<{ group_ids: number[]; rights: number[] }>`
    with setting as materialized (
      select p.group_id, p.flag, p.folder_id, p.id_path, p.value from folder_permissions p
      where p.workspace_id = ${workspace.id} and p.group_id = any(${groupIds}::int[]) and (p.folder_id = any(${above}::int[])
        or p.id_path between ${places[0]?.id_path}::int[] and ${last?.id_path}::int[]
        or ${isInSubtree(sql`p.id_path`, outermost?.id_path ?? [])})
    ), judged as materialized (
      select distinct folder_id as id, id_path from setting
    ), seen as materialized (
      select id from (${viewableAmong(workspace, sql`judged`)}) viewable
      union
      select step.id from folder_permissions p cross join unnest(p.id_path) step (id) where ${own} and p.value
    ), place as materialized (
      select f.id, f.id_path from folders f where f.workspace_id = ${workspace.id} and f.id = any(${ids}::int[])
    ), size as materialized (
      select * from unnest(${ids}::int[], ${places.map(({ children }) => children)}::int[]) s (id, children)
    ), nearest as (select * from ${nearest} nearest
    ), below as (
      select place.id, s.group_id, s.flag, bool_or(s.value) as granted, bool_or(not s.value) as revoked,
        count(*) filter (where s.id_path[cardinality(s.id_path) - 1] = place.id) as children
      from (select s.*, step.id as on_path from setting s cross join unnest(s.id_path) step (id) offset 0) s
      join place on place.id = s.on_path and place.id <> s.folder_id ${seen}
      group by place.id, s.group_id, s.flag
    ), cell as (
      select id, group_id, sum(${BIT} * (coalesce(n.value, false)::int + 8 * (case when n.value
          then b.revoked and (b.granted or size.children > b.children)
          else b.granted and (b.revoked or size.children > b.children) end is true)::int))::int as rights
      from nearest n full join below b using (id, group_id, flag) left join size using (id) group by id, group_id
    )
    select coalesce(c.group_ids, '{}') as group_ids, coalesce(c.rights, '{}') as rights
    from unnest(${ids}::int[]) with ordinality place (id, at)
    left join (select id, array_agg(group_id) as group_ids, array_agg(rights) as rights from cell group by id) c using (id)
    order by place.at`.execute(db)
  return mapInTurns([...places.entries()], ([at, { id, parent_id, name, index, children }]) => {
    const { group_ids = [], rights = [] } = rows[at] ?? {}
    const known = new Map(group_ids.map((group, column) => [group, rights[column] ?? 0]))
    return { id, parent_id, name, index, children, rights: groupIds.map((group) => known.get(group) ?? 0) }
  })
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
