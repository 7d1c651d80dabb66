import { sql } from 'kysely'
import type { Workspace } from '../../access/scopes.ts'
import { nearestOverrides, overridesBelow } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { inTurns } from '../../base/turns.ts'
import type { Work } from '../../../wire/work.ts'

/** Id paths from `start` up to `end`, without `end`. */
export interface PathRange {
  start: readonly number[]
  end: readonly number[]
}

/** An override of `view`. */
export interface ViewOverride {
  group_id: number
  id_path: readonly number[]
  value: boolean
}

/**
 * Lists the ranges of the folders below one that the caller sees, in their order, by the caller's overrides and not by the
 * folders. Ranges before the path `after` may be missing.
 */
export async function listVisibleRanges(
  db: Db,
  { id, group_ids }: Workspace,
  below: number,
  after: readonly number[],
): Promise<PathRange[]> {
  const { rows } = await sql<{ top: number[]; viewing: number[] } & (ViewOverride | { group_id: null })>`
    select parent.*, o.group_id, o.id_path, o.value
    from (
      select f.id_path as top, array(
        select n.group_id from ${nearestOverrides(id, sql`f.id_path`, group_ids)} n where n.flag = 'view' and n.value
      ) as viewing
      from folders f where f.workspace_id = ${id} and f.id = ${below} offset 0
    ) parent left join lateral (
      select * from ${overridesBelow(id, group_ids, sql`parent.top`)} o
      where o.flag = 'view' and (o.id_path > ${after}::int[] or o.folder_id = any(${after}::int[]))
    ) o on true
    order by o.id_path`.execute(db)
  const [first] = rows
  if (!first) return []
  const overrides = rows.filter((row): row is typeof first & ViewOverride => row.group_id !== null)
  return inTurns(findingVisibleRanges(first.top, first.viewing, overrides))
}

/**
 * The ranges of the folders that a group views, and of single folders on the way to such ranges.
 * @param viewing groups that view the folder `top`
 * @param overrides below `top`, in the order of their paths
 */
export function* findingVisibleRanges(
  top: readonly number[],
  viewing: readonly number[],
  overrides: readonly ViewOverride[],
): Work<PathRange[]> {
  const viewed = yield* findingViewedRanges(top, viewing, overrides)
  const ranges: PathRange[] = []
  let next = 0
  for (const path of yield* findingWays(top, overrides)) {
    yield
    for (; next < viewed.length && !isBefore(path, viewed[next]?.start ?? []); next++)
      ranges.push(viewed[next] as PathRange)
    if (next === 0 || !isBefore(path, viewed[next - 1]?.end ?? [])) ranges.push({ start: path, end: [...path, 0] })
  }
  return ranges.concat(viewed.slice(next))
}

function* findingViewedRanges(
  top: readonly number[],
  viewing: readonly number[],
  overrides: readonly ViewOverride[],
): Work<PathRange[]> {
  const ranges: PathRange[] = []
  const views = new Set(viewing)
  const open: ViewOverride[] = []
  let start: readonly number[] | undefined
  const set = (group: number, value: boolean, at: readonly number[]) => {
    if (value) views.add(group)
    else views.delete(group)
    if (views.size > 0) start ??= at
    else if (start && isBefore(start, at)) ranges.push({ start, end: at })
    if (views.size === 0) start = undefined
  }
  const close = (until: readonly number[]) => {
    for (let last = open.at(-1); last && !isWithin(until, last.id_path); last = open.at(-1)) {
      open.pop()
      set(last.group_id, last.value, endOf(last.id_path))
    }
  }
  if (views.size > 0) start = [...top, 0]
  for (const { group_id, id_path, value } of overrides) {
    yield
    close(id_path)
    // An open subtree keeps the value that its end restores.
    open.push({ group_id, id_path, value: views.has(group_id) })
    set(group_id, value, id_path)
  }
  close(endOf(top))
  if (start) ranges.push({ start, end: endOf(top) })
  return ranges
}

function* findingWays(top: readonly number[], overrides: readonly ViewOverride[]): Work<(readonly number[])[]> {
  const ways: (readonly number[])[] = []
  let last: readonly number[] = top
  for (const { id_path, value } of overrides) {
    yield
    if (!value) continue
    for (let depth = top.length + 1; depth < id_path.length; depth++) {
      const path = id_path.slice(0, depth)
      if (!isWithin(last, path)) ways.push(path)
    }
    last = id_path
  }
  return ways
}

/** The first path behind the subtree of a folder. */
export const endOf = (path: readonly number[]): number[] => [...path.slice(0, -1), (path.at(-1) ?? 0) + 1]

const isWithin = (path: readonly number[], folder: readonly number[]): boolean =>
  folder.every((id, at) => path[at] === id)

function isBefore(path: readonly number[], other: readonly number[]): boolean {
  const at = path.findIndex((id, depth) => id !== other[depth])
  return at === -1 ? path.length < other.length : (path[at] ?? 0) < (other[at] ?? -1)
}
