import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { Flag } from '../../../contract/endpoints/permissions.ts'
import { isAdminGroup } from '../../../contract/rules.ts'
import { visible } from '../../access/grants.ts'
import type { FlagChange } from '../../access/rules.ts'
import type { AdministeredGroup, Group, VisibleFolder, Workspace } from '../../access/scopes.ts'
import { type Fragment, hasRight, isBelow, isInSubtree } from '../../access/sql.ts'
import { together } from '../../db/pipelined-dialect.ts'
import type { Db } from '../../db/pool.ts'
import { mapInTurns } from '../../base/turns.ts'
import { getAncestry } from '../folders/folder-rows.ts'
import { lockFolder, lockTree } from '../folders/folders.ts'
import { allSubfolders, lookInto, type Sight } from '../folders/subfolders.ts'
import { lockGroup } from '../workspaces/groups.ts'

/** Maximum number of overrides in a record; `count` is the full number. */
const MAX_RECORDED = 1000

/** The former value of a flag on a folder, and its overrides below the folder. */
export interface FormerFlag {
  flag: Flag
  value: boolean
  count: number
  overrides: { folder_id: number; value: boolean }[]
}

/**
 * Sets flags of a group on a folder and everything below it. Changes of one group wait for each other.
 * @returns the names as read under the locks
 */
export async function setFlags(
  db: Db,
  group: AdministeredGroup,
  folder: VisibleFolder,
  changes: readonly FlagChange[],
): Promise<{ former: FormerFlag[]; folder_name: string; group_name: string }> {
  // Sent together, but granted in this order.
  const [, { id_path, name: folder_name }, { name: group_name }] = await Promise.all([
    lockTree(db, group.workspace, 'share'),
    lockFolder(db, group.workspace, folder.id),
    lockGroup(db, group),
  ])
  const former = await setRows(db, group, { id: folder.id, id_path }, changes)
  return { former, folder_name, group_name }
}

/**
 * Deletes the rows on the folder and below it, including rows of trashed folders, then inserts a row for each flag
 * whose wanted value differs from the inherited one; `null` inherits. Requires the locks.
 * @returns the former flags
 */
export async function setRows(
  db: Db,
  { id: group_id, workspace }: AdministeredGroup,
  { id, id_path }: { id: number; id_path: readonly number[] },
  wanted: readonly { flag: Flag; value: boolean | null }[],
): Promise<FormerFlag[]> {
  const flags = wanted.map(({ flag }) => flag)
  const removal = sql<Omit<FormerFlag, 'value'> & { own: boolean | null }>`
    with gone as (
      delete from folder_permissions
      where workspace_id = ${workspace.id} and group_id = ${group_id} and flag = any(${flags}::text[])
        and ${isInSubtree(sql`id_path`, id_path)}
      returning flag, folder_id, value
    ), in_trash as (
      delete from trashed_permissions
      where workspace_id = ${workspace.id} and group_id = ${group_id} and flag = any(${flags}::text[])
        and ${isInSubtree(sql`id_path`, id_path)}
    ), ranked as (
      select *, row_number() over (partition by flag order by folder_id = ${id}, folder_id) as rank from gone
    )
    select flag, bool_and(value) filter (where folder_id = ${id}) as own,
      count(*) filter (where folder_id <> ${id}) as count,
      coalesce(jsonb_agg(jsonb_build_object('folder_id', folder_id, 'value', value) order by folder_id)
        filter (where folder_id <> ${id} and rank <= ${MAX_RECORDED}), '[]') as overrides
    from ranked group by flag`
  const insertion = sql<{ flag: Flag; value: boolean }>`
    with inherited as (
      select wanted.flag, wanted.value as wanted, ${hasRight({
        workspaceId: workspace.id,
        groupId: group_id,
        flag: sql`wanted.flag`,
        idPath: id_path.slice(0, -1),
      })} as value
      from unnest(${flags}::text[], ${wanted.map(({ value }) => value)}::boolean[]) wanted (flag, value)
    ), set as (
      insert into folder_permissions (workspace_id, group_id, flag, folder_id, id_path, value)
      select ${workspace.id}, ${group_id}, flag, ${id}, ${id_path}::int[], wanted
      from inherited where value <> wanted
    )
    select flag, value from inherited`
  const [gone, inherited] = await Promise.all([removal.execute(db), insertion.execute(db)])
  return inherited.rows.map(({ flag, value: above }) => {
    const { own = null, ...rows } = gone.rows.find((row) => row.flag === flag) ?? { count: 0, overrides: [] }
    return { ...rows, flag, value: own ?? above }
  })
}

type Shown = Reply<Api['permissions']['list']>[number]
type Entry = Omit<Shown, 'id_path' | 'id_tree' | 'outline' | 'position'> & { id_path: number[] }

/** Rights of a group on the direct subfolders, in sibling order; for the root, "All Folders" itself comes first. */
export async function listFolderPermissions(db: Db, group: Group, folder: VisibleFolder) {
  const { workspace } = folder
  const flags = isAdminGroup(group) ? ADMIN_FLAGS : folderFlags(workspace, sql`${group.id}`)
  const entries = (sight: Sight) => sql<Entry>`
    select f.id, coalesce(f.parent_id, 0) as parent_id, f.name, f.index, f.id_path, ${allSubfolders} as children, flags.*
    from (
      select * from folders f where ${sight.isShown}
      union all select * from folders where ${folder.id} = 0 and workspace_id = ${workspace.id} and id = 0
    ) f cross join lateral ${flags} flags
    order by f.id <> 0, f.index`
  const [{ outline }, sight, { rows }] = await together(db, (one) => {
    const looking = lookInto(one, folder)
    const listing = looking.then((sight) => entries(sight).execute(one))
    return Promise.all([getAncestry(one, workspace, folder.id_path), looking, listing])
  })
  return mapInTurns(rows, ({ id_path, ...entry }) => ({
    ...entry,
    children: entry.id === 0 ? sight.countIn(0, entry.children) : sight.countBelow(entry, entry.children),
    position: entry.index,
    id_path: id_path.join('.'),
    id_tree: id_path[1] ?? 0,
    outline: entry.id === 0 ? '' : [outline, entry.index].filter((part) => part !== '').join('.'),
  }))
}

const ADMIN_FLAGS = sql`(select true as view, false as is_mixed_view, true as download, false as is_mixed_download,
  true as upload, false as is_mixed_upload)`

/**
 * Flags of a group on the folder `f`, for a lateral join: the value of the nearest row, and whether the value differs
 * among the descendants that the caller can see.
 */
export function folderFlags(workspace: Workspace, groupId: Fragment) {
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
