import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import { FLAGS } from '../../../contract/endpoints/permissions.ts'
import { bitOf } from '../../../contract/rules.ts'
import type { Work } from '../../../wire/work.ts'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import { isBelow, isOfAdmins, nearestAmong, overridesBelow, rightsTableFor } from '../../access/sql.ts'
import { inTurns } from '../../base/turns.ts'
import { together } from '../../db/pipelined-dialect.ts'
import type { Db } from '../../db/pool.ts'
import { type Counted, readSizes, type SizeOf } from './folder-sizes.ts'
import { endOf } from './visible-ranges.ts'

type FolderReach = Reply<Api['permissions']['reach']>[number]
type GroupReach = FolderReach['groups'][number]
type CountsBelow = NonNullable<GroupReach['below']>

/** Folders of a workspace in which those below several folders are counted. */
const MOST_FOLDERS = 20_000
/** Overrides below the folders that are read together; the groups share them. */
const MOST_OVERRIDES = 20_000

interface Asked {
  folder_ids: readonly number[]
  /** Without ids, all groups are told but those of the admins. */
  group_ids: readonly number[]
  /** With the rights that drafts withhold. */
  as_set?: boolean
  /** With the staged rights too. */
  staged?: boolean
  /** Count the files too. */
  documents?: boolean
}

interface Place extends Counted {
  id: number
  /** The workspace has more folders than are counted for several. */
  is_large: boolean
  /** Bits of the rights of groups on the folder, by their ids. */
  rights: Record<string, number>
}

interface Override extends Counted {
  group_id: number
  /** Bits of the flags: `set` for all, `value` for the granted ones. */
  set: number
  value: number
  /** The group has more overrides than are read. */
  is_cut: boolean
}

/**
 * Reads the rights of groups on folders, and on how many folders below each. Only overrides are read, and folders are only
 * counted where some are below, or where files are counted.
 */
export async function readReach(db: Db, workspace: AdministeredWorkspace, asked: Asked): Promise<FolderReach[]> {
  const [places, overrides] = await together(db, (one) =>
    Promise.all([listPlaces(one, workspace, asked), listOverrides(one, workspace, asked)]),
  )
  const { documents = false } = asked
  const isCounted =
    (documents || overrides.length > 0) && (places.length === 1 || !places.some(({ is_large }) => is_large))
  const sizeOf = isCounted ? await readSizes(db, workspace, [...places, ...overrides], documents) : undefined
  return inTurns(reachOf(places, overrides, { sizeOf, documents }))
}

const BIT = sql`case flag when 'view' then 1 when 'download' then 2 else 4 end`

const placesOf = ({ id }: AdministeredWorkspace, folderIds: readonly number[]) => sql`
  asked as materialized (
    select f.id, f.id_path from folders f
    where f.workspace_id = ${id} and f.id = any(${folderIds}::int[]) and f.deleted_at is null
  ), top as materialized (
    select * from asked a where not exists (select from asked b where ${isBelow(sql`a.id_path`, sql`b.id_path`)})
  )`

async function listPlaces(
  db: Db,
  workspace: AdministeredWorkspace,
  { folder_ids, group_ids, as_set = false, staged = false }: Asked,
): Promise<Place[]> {
  const of = { groupIds: group_ids.length > 0 ? group_ids : undefined, rows: rightsTableFor(as_set, staged) }
  const { rows } = await sql<Place>`
    with ${placesOf(workspace, folder_ids)}, own as (
      select n.id, n.group_id, sum(${BIT}) as bits from ${nearestAmong(workspace.id, sql`asked`, of)} n
      where n.value group by n.id, n.group_id
    ), rights as materialized (select id, jsonb_object_agg(group_id, bits) as rights from own group by id)
    select f.id, f.id_path, top.id as top_id, large.is_large,
      coalesce((select r.rights from rights r where r.id = f.id), '{}') as rights
    from (
      select count(*) > ${sql.lit(MOST_FOLDERS)} as is_large from (
        select from folders d where d.workspace_id = ${workspace.id} limit ${sql.lit(MOST_FOLDERS + 1)}
      ) found
    ) large cross join asked f join top on f.id = top.id or ${isBelow(sql`f.id_path`, sql`top.id_path`)}
    order by f.id_path`.execute(db)
  return rows
}

async function listOverrides(
  db: Db,
  workspace: AdministeredWorkspace,
  { folder_ids, group_ids, as_set = false, staged = false }: Asked,
): Promise<Override[]> {
  const rights = rightsTableFor(as_set, staged)
  const { rows } = await sql<Override>`
    with ${placesOf(workspace, folder_ids)}, wanted as materialized (
      select g.id from groups g where g.workspace_id = ${workspace.id} and not ${isOfAdmins('g')}
        ${group_ids.length > 0 ? sql`and g.id = any(${group_ids}::int[])` : sql``}
    ), each as (select ${sql.lit(MOST_OVERRIDES)} / greatest(count(*), 1) + 1 as most from wanted)
    select wanted.id as group_id, o.top_id, o.id_path, sum(${BIT})::int as set,
      coalesce(sum(${BIT}) filter (where o.value), 0)::int as value, max(o.found) = (select most from each) as is_cut
    from wanted cross join lateral (
      select set_below.*, count(*) over () as found from (
        select p.flag, p.id_path, p.value, top.id as top_id
        from top cross join lateral ${overridesBelow(workspace.id, sql`array[wanted.id]`, sql`top.id_path`, rights)} p
        limit (select most from each)
      ) set_below
    ) o
    group by wanted.id, o.top_id, o.id_path
    order by o.id_path`.execute(db)
  return rows
}

interface Counting {
  /** Undefined where nothing is counted. */
  sizeOf: SizeOf | undefined
  documents: boolean
}

function* reachOf(
  places: readonly Place[],
  overrides: readonly Override[],
  { sizeOf, documents }: Counting,
): Work<FolderReach[]> {
  const cut = new Set(overrides.filter(({ is_cut }) => is_cut).map(({ group_id }) => group_id))
  const reach: FolderReach[] = []
  for (const place of places) {
    const below = rangeBelow(overrides, place.id_path)
    const folders = below.length > 0 && sizeOf ? sizeOf(place.id_path).folders - 1 : null
    const byGroup = yield* groupingBelow(below)
    const ids = new Set([...Object.keys(place.rights).map(Number), ...byGroup.keys()])
    const groups: GroupReach[] = []
    for (const group_id of [...ids].toSorted((one, other) => one - other)) {
      yield
      const own = place.rights[group_id] ?? 0
      const inside = byGroup.get(group_id) ?? []
      const counts =
        cut.has(group_id) || (!sizeOf && inside.length > 0)
          ? UNCOUNTED
          : yield* countsBelow(inside, own, { sizeOf: sizeOf ?? ONE, folders: folders ?? 0 })
      if (own !== 0 || counts) groups.push({ group_id, ...flagsOf(own), below: counts })
    }
    const files = documents && sizeOf ? sizeOf(place.id_path).documents : null
    reach.push({ folder_id: place.id, folders, documents: files, groups })
  }
  return reach
}

const ONE = () => ({ folders: 1, documents: 0 })
const UNCOUNTED: CountsBelow = { view: null, download: null, upload: null }

const flagsOf = (bits: number) => ({
  view: (bits & bitOf('view')) !== 0,
  download: (bits & bitOf('download')) !== 0,
  upload: (bits & bitOf('upload')) !== 0,
})

function* groupingBelow(overrides: readonly Override[]): Work<Map<number, Override[]>> {
  const byGroup = new Map<number, Override[]>()
  for (const override of overrides) {
    yield
    const known = byGroup.get(override.group_id)
    if (known) known.push(override)
    else byGroup.set(override.group_id, [override])
  }
  return byGroup
}

/**
 * Counts the folders below that have each right: all or none, as the folder itself, and for each override those in its
 * subtree more or less. Returns null where no folder differs.
 */
function* countsBelow(
  overrides: readonly Override[],
  own: number,
  { sizeOf, folders }: { sizeOf: SizeOf; folders: number },
): Work<CountsBelow | null> {
  const counts = FLAGS.map((flag) => (own & bitOf(flag) ? folders : 0))
  const around: { id_path: readonly number[]; bits: number }[] = []
  let isOther = false
  for (const { id_path, set, value } of overrides) {
    yield
    while (around.length > 0 && !isIn(id_path, around.at(-1)?.id_path ?? [])) around.pop()
    const inherited = around.at(-1)?.bits ?? own
    const bits = (inherited & ~set) | value
    around.push({ id_path, bits })
    if (bits === inherited) continue
    const size = sizeOf(id_path).folders
    isOther ||= size > 0
    for (const [at, flag] of FLAGS.entries()) {
      const step = Number((bits & bitOf(flag)) !== 0) - Number((inherited & bitOf(flag)) !== 0)
      counts[at] = (counts[at] ?? 0) + step * size
    }
  }
  const [view = 0, download = 0, upload = 0] = counts
  return isOther ? { view, download, upload } : null
}

const isIn = (idPath: readonly number[], around: readonly number[]): boolean =>
  around.every((id, depth) => idPath[depth] === id)

/** The overrides below a folder, which stand together in the order of their paths. */
function rangeBelow(overrides: readonly Override[], idPath: readonly number[]): readonly Override[] {
  const first = firstNotBefore(overrides, [...idPath, 0])
  return overrides.slice(first, firstNotBefore(overrides, endOf(idPath)))
}

function firstNotBefore(overrides: readonly Override[], idPath: readonly number[]): number {
  let [low, high] = [0, overrides.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(overrides[middle]?.id_path ?? [], idPath)) low = middle + 1
    else high = middle
  }
  return low
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const depth = one.findIndex((id, at) => id !== other[at])
  if (depth === -1) return one.length < other.length
  return depth < other.length && (one[depth] ?? 0) < (other[depth] ?? 0)
}
