import { sql } from 'kysely'
import { ALL_BITS, MIXED_SHIFT } from '../../../contract/endpoints/permissions.ts'
import type { Workspace } from '../../access/scopes.ts'
import { type Fragment, isBelow, nearestOverrides } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { type ParametersOf, statement } from '../../db/statement.ts'
import { inTurns } from '../../base/turns.ts'
import type { Work } from '../../../wire/work.ts'

// The rights of groups on the subfolders of some folders, the parents. Only the overrides at the subfolders and below them
// are read, in one pass: a subfolder without any has the rights of its parent.

interface Subfolder {
  id: number
  parent_id: number
}

export interface LevelRights {
  /** Bits of each group, as in the sheet, on a subfolder in which the caller sees `children` subfolders. */
  on(subfolder: Subfolder, children: number): number[]
  /** The same for a parent. Its subfolders that the caller does not see are left out. */
  onParent(id: number, children: number, isSeen: (subfolder: Subfolder) => boolean): number[]
}

/** The overrides of a group at a folder and below it: bits of the flags, and numbers of its subfolders with overrides. */
interface Cell {
  set: number
  value: number
  granted: number
  revoked: number
  /** Indexed like the bits. */
  overridden: number[]
}

const NOTHING: Cell = { set: 0, value: 0, granted: 0, revoked: 0, overridden: [0, 0, 0] }

interface Values {
  workspace: number
  groups: readonly number[]
  parents: readonly number[]
  /** The groups of the caller. */
  own: readonly number[]
}

/** @param groupIds limited groups: the admins' have every right everywhere */
export async function readLevelRights(
  db: Db,
  { id, admin, group_ids }: Workspace,
  groupIds: readonly number[],
  parentIds: readonly number[],
): Promise<LevelRights> {
  const values = { workspace: id, groups: groupIds, parents: parentIds, own: group_ids }
  const [parents, children] = await Promise.all([
    rightsOfParents(db, values),
    (admin ? everyOverride : visibleOverrides)(db, values),
  ])
  const inherited = await inTurns(groupingParents(groupIds, parents))
  return levelRights(groupIds, inherited, await inTurns(readingCells(groupIds, children)))
}

function levelRights(
  groupIds: readonly number[],
  inherited: ReadonlyMap<number, number[]>,
  overridden: ReadonlyMap<number, ReadonlyMap<number, (Cell | undefined)[]>>,
): LevelRights {
  const none = groupIds.map(() => 0)
  return {
    on({ id, parent_id }, children) {
      const above = inherited.get(parent_id) ?? none
      const cells = overridden.get(parent_id)?.get(id)
      return cells ? above.map((bits, column) => bitsOf(cells[column] ?? NOTHING, bits, children)) : above
    },
    onParent(id, children, isSeen) {
      const above = inherited.get(id) ?? none
      const seen = [...(overridden.get(id) ?? [])].filter(([child]) => isSeen({ id: child, parent_id: id }))
      return above.map((bits, column) => {
        return bitsOf(sumOf(seen.map(([, cells]) => cells[column] ?? NOTHING)), bits, children)
      })
    },
  }
}

/** Mixed: some folder below has another right, and some folder below has the same, by an override or without any. */
function bitsOf({ set, value, granted, revoked, overridden }: Cell, inherited: number, children: number): number {
  const have = (inherited & ~set) | value
  const other = (have & revoked) | (~have & granted)
  const same = (have & granted) | (~have & revoked)
  const inheriting = overridden.reduce((bits, count, at) => (children > count ? bits | (1 << at) : bits), 0)
  return have | ((other & (same | inheriting)) << MIXED_SHIFT)
}

/** What the overrides at and below subfolders say about their parent. */
function sumOf(cells: readonly Cell[]): Cell {
  const sum = { ...NOTHING, overridden: [0, 0, 0] }
  for (const { set, value, granted, revoked } of cells) {
    sum.granted |= granted | (set & value)
    sum.revoked |= revoked | (set & ~value)
    sum.overridden = sum.overridden.map((count, at) => count + ((set >> at) & 1))
  }
  return sum
}

interface ParentRow {
  parent_id: number
  group_id: number
  rights: number
}

function* groupingParents(groupIds: readonly number[], rows: readonly ParentRow[]): Work<Map<number, number[]>> {
  const columns = new Map(groupIds.map((id, at) => [id, at]))
  const inherited = new Map<number, number[]>()
  for (const { parent_id, group_id, rights } of rows) {
    yield
    const bits = inherited.get(parent_id) ?? groupIds.map(() => 0)
    bits[columns.get(group_id) ?? 0] = rights
    inherited.set(parent_id, bits)
  }
  return inherited
}

interface ChildRow extends Subfolder {
  /** Five numbers for each group with overrides: id, bits (`CODE`), subfolders with an override of each flag. */
  cells: string
}

function* readingCells(
  groupIds: readonly number[],
  rows: readonly ChildRow[],
): Work<Map<number, Map<number, (Cell | undefined)[]>>> {
  const columns = new Map(groupIds.map((id, at) => [id, at]))
  const found = new Map<number, Map<number, (Cell | undefined)[]>>()
  for (const { parent_id, id, cells } of rows) {
    yield
    const level = found.get(parent_id) ?? new Map<number, (Cell | undefined)[]>()
    level.set(id, cellsOf(cells, columns))
    found.set(parent_id, level)
  }
  return found
}

function cellsOf(text: string, columns: ReadonlyMap<number, number>): (Cell | undefined)[] {
  const numbers = JSON.parse(`[${text}]`) as number[]
  const cells: (Cell | undefined)[] = []
  for (let at = 0; at < numbers.length; at += 5) {
    const [group = 0, code = 0, ...overridden] = numbers.slice(at, at + 5)
    cells[columns.get(group) ?? 0] = {
      set: code & ALL_BITS,
      value: (code >> 3) & ALL_BITS,
      granted: (code >> 6) & ALL_BITS,
      revoked: code >> 9,
      overridden,
    }
  }
  return cells
}

const BIT = sql`case flag when 'view' then 1 when 'download' then 2 else 4 end`

const rightsOfParents = statement<Values, ParentRow>(
  ({ workspace, groups, parents }) => sql`
    select parent.id as parent_id, near.group_id, sum(${BIT})::int as rights
    from folders parent cross join lateral ${nearestOverrides(sql`${workspace}::int`, sql`parent.id_path`, sql`${groups}::int[]`)} near
    where parent.workspace_id = ${workspace} and parent.id = any(${parents}::int[]) and near.value
    group by parent.id, near.group_id`,
)

/** Numbers of levels from a row `p` up to the parent. */
const LEVELS = sql`(cardinality(p.id_path) - cardinality(parent.id_path))`

/** Bits of an override: a set flag and its value at the subfolder, and granted and revoked flags below it. */
const CODE = sql`${BIT} * case when ${LEVELS} = 1 then 1 + 8 * p.value::int when p.value then 64 else 512 end`

/** One row for each subfolder with overrides of the groups at it or below. `overrides` are those below the parent. */
const cellsFrom = ({ workspace, parents }: ParametersOf<Values>, overrides: Fragment, joins = sql``) => {
  const overridden = (flag: string) => sql`count(*) filter (where p.flag = ${sql.lit(flag)} and ${LEVELS} = 2)`
  return sql<ChildRow>`
    select parent.id as parent_id, cell.id,
      string_agg(concat_ws(',', cell.group_id, cell.code, cell.view, cell.download, cell.upload), ',') as cells
    from folders parent ${joins} cross join lateral (
      select p.id_path[cardinality(parent.id_path) + 1] as id, p.group_id, bit_or(${CODE}) as code,
        ${overridden('view')} as view, ${overridden('download')} as download, ${overridden('upload')} as upload
      from ${overrides} p group by 1, 2
    ) cell
    where parent.workspace_id = ${workspace} and parent.id = any(${parents}::int[])
    group by parent.id, cell.id`
}

const overridesBelow = (workspace: Fragment, groups: Fragment, flags: string): Fragment => sql`(
  select o.group_id, o.flag, o.folder_id, o.id_path, o.value from folder_permissions o
  where o.workspace_id = ${workspace} and o.group_id = any(${groups}::int[]) and o.flag in (${sql.raw(flags)})
    and ${isBelow(sql`o.id_path`, sql`parent.id_path`)})`

const everyOverride = statement<Values, ChildRow>((values) =>
  cellsFrom(values, overridesBelow(values.workspace, values.groups, `'view', 'download', 'upload'`)),
)

/**
 * For a caller who does not see every folder. Nothing is visible in a hidden folder, so its overrides and those below it
 * say nothing about visible folders; those of the subfolders themselves are always read. A `full join` is a hash or merge
 * join whatever PostgreSQL expects of tables without statistics.
 */
const visibleOverrides = statement<Values, ChildRow>((values) => {
  const { workspace, groups, own } = values
  const visible = sql`(
    with setting as materialized (
      select * from ${overridesBelow(workspace, groups, `'view', 'download', 'upload'`)} o
    ), mine as materialized (
      select * from ${overridesBelow(workspace, own, `'view'`)} o
    ), judged as (
      select distinct p.folder_id, p.id_path[cardinality(parent.id_path) + 1:] as path from setting p where ${LEVELS} > 1
    ), nearest as (
      select distinct on (j.folder_id, m.group_id) j.folder_id,
        m.value::int - (m.group_id = any(above.group_ids))::int as change
      from (
        select j.folder_id, step.* from judged j cross join unnest(j.path) with ordinality step (on_path, depth) offset 0
      ) j full join mine m on m.folder_id = j.on_path
      where coalesce(j.folder_id, 0) <> 0 and coalesce(m.folder_id, 0) <> 0
      order by j.folder_id, m.group_id, j.depth desc
    ), changed as materialized (
      select folder_id, cardinality(above.group_ids) + sum(change) as viewing from nearest group by folder_id
    )
    select p.* from setting p where ${LEVELS} = 1
      or p.folder_id in (select folder_id from changed where viewing > 0)
      or (cardinality(above.group_ids) > 0 and p.folder_id not in (select folder_id from changed))
      or p.folder_id in (select step.id from mine m cross join unnest(m.id_path) step (id) where m.value))`
  const above = sql`(
    select coalesce(array_agg(near.group_id) filter (where near.flag = 'view' and near.value), '{}') as group_ids
    from ${nearestOverrides(sql`${workspace}::int`, sql`parent.id_path`, sql`${own}::int[]`)} near)`
  return cellsFrom(values, visible, sql`cross join lateral ${above} above`)
})
