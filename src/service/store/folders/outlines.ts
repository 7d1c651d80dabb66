import { type RawBuilder, sql } from 'kysely'
import type { Workspace } from '../../access/scopes.ts'
import { viewableAmong } from '../../access/grants.ts'
import { alongPaths, type Fragment, leadingAmong, rightsOf, subfoldersWithOverrides, unseen } from '../../access/sql.ts'
import { allSubfolders, publishedSubfolders } from './subfolders.ts'

type Ids = readonly number[] | Fragment

/** Whether the numbers of the caller count only what the caller may see. */
export const isRenumbered = ({ numbering, admin }: Pick<Workspace, 'numbering' | 'admin'>): boolean =>
  numbering === 'per_reader' && !admin

/**
 * Rows `(id, outline, shown)` of folders: the number that the caller sees, and the number of the subfolders that the caller
 * sees, behind which the files of the folder continue. `onPaths`, if they are known: the ids of the folders and of all above them.
 */
export function outlinesAmong(workspace: Workspace, of: { ids: Ids; onPaths?: Ids }): RawBuilder<unknown> {
  const { ids, onPaths = pathsOf(workspace, of.ids) } = of
  const levels = isRenumbered(workspace) ? seenLevels(workspace, onPaths) : allLevels(workspace, { ids, onPaths })
  return sql`(
    with level as materialized (${levels}), named as materialized (select * from level where id = any(${idsOf(ids)}))
    select w.id, coalesce(string_agg(${placeOf(workspace)}::text, '.' order by w.depth) filter (where a.id <> 0), '') as outline,
      max(w.shown) as shown
    from ${alongPaths(sql`named`)} w join level a on a.id = w.on_path left join level p on p.id = a.parent_id
    group by w.id)`
}

/** The same for many folders, in one pass over all their siblings. */
export function outlinesAtOnce(workspace: Workspace, of: { ids: Ids; onPaths: Ids }): RawBuilder<unknown> {
  if (!isRenumbered(workspace)) return outlinesAmong(workspace, of)
  const leading = leadingAmong(workspace.id, unseen(workspace.group_ids), sql`array(select id from child)`)
  return sql`(
    with child as materialized (
      select c.id, c.parent_id, c.id_path, c.index from folders c
      where c.workspace_id = ${workspace.id} and c.parent_id = any(${idsOf(of.onPaths)}) and c.deleted_at is null
    ), seen as materialized (
      select c.id, c.parent_id, row_number() over (partition by c.parent_id order by c.index) as place from child c
      where c.id in (${viewableAmong(workspace, sql`child`)}) or c.id in (select l.id from ${leading} l)
    ), level as materialized (
      select s.parent_id as id, count(*) as shown from seen s group by s.parent_id
    ), named as materialized (
      select f.id, f.id_path from folders f where f.workspace_id = ${workspace.id} and f.id = any(${idsOf(of.ids)})
    )
    select w.id, coalesce(string_agg(s.place::text, '.' order by w.depth), '') as outline, coalesce(max(l.shown), 0) as shown
    from ${alongPaths(sql`named`)} w left join seen s on s.id = w.on_path left join level l on l.id = w.id
    group by w.id)`
}

/** The indexes on the path of a folder, without that of the root. */
export const outlineForAdmins = (idPath: Fragment, { workspace_id }: { workspace_id: Fragment }): Fragment => sql`(
  select coalesce(string_agg(above.index::text, '.' order by cardinality(above.id_path)), '')
  from ${foldersOn(idPath, workspace_id)} above)`

/** The rows of the folders on a path without that of the root, each found by its key even where nothing is known about the table. */
const foldersOn = (idPath: Fragment, workspaceId: Fragment): Fragment => sql`(
  select f.* from unnest(${idPath}) step (id) cross join lateral (
    select * from folders where workspace_id = ${workspaceId} and id = step.id offset 0
  ) f where step.id <> 0)`

/** The outline of a file `f` in a folder with a row of `outlinesAmong`. */
export const fileOutlineIn = (row: string): Fragment =>
  sql`(coalesce(nullif(${sql.ref(`${row}.outline`)}, '') || '.', '') || (${sql.ref(`${row}.shown`)} + f.index)::text)`
export const fileOutline = fileOutlineIn('n')

/** The name of a row without a number that its outline replaces: `withoutNumber` of `contract/outline`. */
export const nameBehind = (outline: Fragment, row: string, column: 'name' | 'title'): Fragment => {
  const [name, length] = [sql.ref(`${row}.${column}`), sql.ref(`${row}.number_length`)]
  return sql`case when ${length} > 0 then substr(${name}, ${length} + 1) else without_number(${name}, ${outline}) end`
}

/** The name of a folder row without a number of another index, for readers who compare it with our number themselves. */
export const withoutOwnNumber = (row: string): Fragment =>
  sql`substr(${sql.ref(`${row}.name`)}, ${sql.ref(`${row}.number_length`)} + 1)`

/**
 * The readable path of a folder with numbers: "/2 Legal/2.1 Contracts". Each folder has its name without a number that ours
 * replaces. Folders without a number, which are drafts and those in the trash, and all below them, have their name as it is.
 * @param outline of the folder for the reader, which begins with those of all folders above
 */
export const numberedPath = (workspaceId: number, idPath: Fragment, outline: Fragment): Fragment => sql`(
  select '/' || coalesce(string_agg(
      case when step.has_number then step.number || ' ' || ${nameBehind(sql`step.number`, 'step', 'name')} else step.name end,
      '/' order by step.depth), '')
  from (
    select a.name, a.number_length, cardinality(a.id_path) as depth,
      array_to_string((string_to_array(${outline}, '.'))[:cardinality(a.id_path) - 1], '.') as number,
      not bool_or(a.is_draft or a.deleted_at is not null) over (order by cardinality(a.id_path)) as has_number
    from ${foldersOn(idPath, sql`${workspaceId}::int`)} a
  ) step)`

/** The same in the numbers of admins. */
export const numberedPathForAdmins = (workspaceId: number, idPath: Fragment): Fragment =>
  numberedPath(workspaceId, idPath, outlineForAdmins(idPath, { workspace_id: sql`${workspaceId}::int` }))

const idsOf = (ids: Ids): Fragment => (Array.isArray(ids) ? sql`${ids}::int[]` : (ids as Fragment))

const pathsOf = ({ id }: Workspace, ids: Ids): Fragment => sql`array(
  select step.id from folders d cross join unnest(d.id_path) step (id)
  where d.workspace_id = ${id} and d.id = any(${idsOf(ids)}))`

const allLevels = (workspace: Workspace, { ids, onPaths }: { ids: Ids; onPaths: Ids }): Fragment => sql`
  select f.id, f.parent_id, f.id_path, f.index, case when f.id = any(${idsOf(ids)}) then ${publishedSubfolders} end as shown
  from folders f
  where f.workspace_id = ${workspace.id} and f.id = any(${idsOf(onPaths)})`

/** With the indexes of the subfolders that are hidden in a viewed folder, or seen in another one. */
const seenLevels = (workspace: Workspace, onPaths: Ids): Fragment => {
  const groupIds = unseen(workspace.group_ids)
  const indexes = sql`select s.visible, (
      select c.index from folders c where c.workspace_id = f.workspace_id and c.id = s.id
    ) as index from ${subfoldersWithOverrides(workspace.id, groupIds, sql`f.id_path`)} s`
  return sql`
    select f.id, f.parent_id, f.id_path, f.index, r.view, x.hidden, x.seen,
      case when r.view then ${allSubfolders} - cardinality(x.hidden) else cardinality(x.seen) end as shown
    from folders f cross join lateral ${rightsOf(workspace.id, groupIds, sql`f.id_path`)} r
    cross join lateral (
      select coalesce(array_agg(i.index) filter (where not i.visible), '{}') as hidden,
        coalesce(array_agg(i.index) filter (where i.visible), '{}') as seen
      from (${indexes}) i
    ) x
    where f.workspace_id = ${workspace.id} and f.id = any(${idsOf(onPaths)}) offset 0`
}

/** The number of a folder `a` beside its siblings in `p`. */
const placeOf = (workspace: Workspace): Fragment =>
  isRenumbered(workspace)
    ? sql`case when p.view then a.index - (select count(*) from unnest(p.hidden) i where i < a.index)
        else (select count(*) from unnest(p.seen) i where i <= a.index) end`
    : sql`a.index`
