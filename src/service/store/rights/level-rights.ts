import { sql } from 'kysely'
import { ALL_BITS, MIXED_SHIFT } from '../../../contract/endpoints/permissions.ts'
import type { Workspace } from '../../access/scopes.ts'
import {
  type Fragment,
  nearestOverrides,
  overridesBelow,
  PLANNED_RIGHTS,
  SET_RIGHTS,
  visibleOverridesBelow,
} from '../../access/sql.ts'
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
  overridden: readonly number[]
}

const NONE = [0, 0, 0] as const
const NOTHING: Cell = { set: 0, value: 0, granted: 0, revoked: 0, overridden: NONE }

interface Values {
  workspace: number
  groups: readonly number[]
  parents: readonly number[]
  /** The groups of the caller. */
  own: readonly number[]
}

/**
 * @param groupIds limited groups: the admins' have every right everywhere
 * @param isPlanned with the staged rights, for admins
 */
export async function readLevelRights(
  db: Db,
  { id, admin, group_ids }: Workspace,
  groupIds: readonly number[],
  parentIds: readonly number[],
  isPlanned = false,
): Promise<LevelRights> {
  const values = { workspace: id, groups: groupIds, parents: parentIds, own: group_ids }
  const read = isPlanned ? PLANNED : admin ? SET : VISIBLE
  const [parents, children] = await Promise.all([read.parents(db, values), read.overrides(db, values)])
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
      if (!cells) return above
      return above.map((bits, column) => {
        const cell = cells[column]
        return cell ? bitsOf(cell, bits, children) : bits
      })
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
  if (other === 0) return have
  const same = (have & granted) | (~have & revoked)
  const inheriting = overridden.reduce((bits, count, at) => (children > count ? bits | (1 << at) : bits), 0)
  return have | ((other & (same | inheriting)) << MIXED_SHIFT)
}

function sumOf(cells: readonly Cell[]): Cell {
  const sum = { ...NOTHING }
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
  /**
   * Two numbers for each group with overrides: id and bits (`CODE`). `COUNTED` in the bits announces three more: the
   * subfolders with an override of each flag.
   */
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
  for (let at = 0; at < numbers.length;) {
    const [group, code] = [numbers[at++] ?? 0, numbers[at++] ?? 0]
    const isCounted = (code & COUNTED) !== 0
    cells[columns.get(group) ?? 0] = {
      set: code & ALL_BITS,
      value: (code >> 3) & ALL_BITS,
      granted: (code >> 6) & ALL_BITS,
      revoked: (code >> 9) & ALL_BITS,
      overridden: isCounted ? numbers.slice(at, at + 3) : NONE,
    }
    if (isCounted) at += 3
  }
  return cells
}

const BIT = sql`case flag when 'view' then 1 when 'download' then 2 else 4 end`

const parentRights = (rows?: Fragment) =>
  statement<Values, ParentRow>(
    ({ workspace, groups, parents }) => sql`
      select parent.id as parent_id, near.group_id, sum(${BIT})::int as rights
      from folders parent
      cross join lateral ${nearestOverrides(sql`${workspace}::int`, sql`parent.id_path`, sql`${groups}::int[]`, rows)} near
      where parent.workspace_id = ${workspace} and parent.id = any(${parents}::int[]) and near.value
      group by parent.id, near.group_id`,
  )

const COUNTED = 4096

/** Bits of an override: a set flag and its value at the subfolder, and granted and revoked flags below it. */
const CODE = sql`${BIT} * case when o.level = 1 then 1 + 8 * o.value::int when o.value then 64 else 512 end`

const cellsFrom = ({ workspace, parents }: ParametersOf<Values>, overrides: Fragment) => {
  const overridden = (flag: string) => sql`count(*) filter (where o.level = 2 and o.flag = ${sql.lit(flag)})`
  return sql<ChildRow>`
    select parent.id as parent_id, cell.id, string_agg(case when cell.counted
      then concat_ws(',', cell.group_id, cell.code + ${sql.lit(COUNTED)}, cell.view, cell.download, cell.upload)
      else concat_ws(',', cell.group_id, cell.code) end, ',') as cells
    from folders parent cross join lateral (
      select o.id, o.group_id, bit_or(${CODE}) as code, bool_or(o.level = 2) as counted,
        ${overridden('view')} as view, ${overridden('download')} as download, ${overridden('upload')} as upload
      from (
        select p.id_path[cardinality(parent.id_path) + 1] as id, p.group_id, p.flag, p.value,
          cardinality(p.id_path) - cardinality(parent.id_path) as level
        from ${overrides} p offset 0
      ) o
      group by 1, 2
    ) cell
    where parent.workspace_id = ${workspace} and parent.id = any(${parents}::int[])
    group by parent.id, cell.id`
}

const everyOverride = (rows: Fragment) =>
  statement<Values, ChildRow>((values) =>
    cellsFrom(values, overridesBelow(values.workspace, values.groups, sql`parent.id_path`, rows)),
  )

const visibleOverrides = statement<Values, ChildRow>((values) =>
  cellsFrom(values, visibleOverridesBelow(values, sql`parent.id_path`)),
)

const VISIBLE = { parents: parentRights(), overrides: visibleOverrides }
const SET = { parents: parentRights(SET_RIGHTS), overrides: everyOverride(SET_RIGHTS) }
const PLANNED = { parents: parentRights(PLANNED_RIGHTS), overrides: everyOverride(PLANNED_RIGHTS) }
