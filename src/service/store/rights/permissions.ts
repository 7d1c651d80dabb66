import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { Flag } from '../../../contract/endpoints/permissions.ts'
import { isAdminGroup } from '../../../contract/rules.ts'
import { visible } from '../../access/grants.ts'
import type { FlagChange } from '../../access/rules.ts'
import type { AdministeredGroup, Group, VisibleFolder, Workspace } from '../../access/scopes.ts'
import { type Fragment, hasRight, isBelow } from '../../access/sql.ts'
import { together } from '../../db/pipelined-dialect.ts'
import type { Db } from '../../db/pool.ts'
import { statement } from '../../db/statement.ts'
import { notFound } from '../../base/errors.ts'
import { mapInTurns } from '../../base/turns.ts'
import { type Activity, type Recording, recordingOf, recordOf } from '../audit/activities.ts'
import { getAncestry } from '../folders/folder-rows.ts'
import { lockedPlace, type Place } from '../folders/folders.ts'
import { allSubfolders, lookInto, type Sight } from '../folders/subfolders.ts'

interface Setting extends Recording, Place {
  group_id: number
  flags: Flag[]
  values: boolean[]
  /** The rights are set only if these are still the names. */
  folder_name: string
  group_name: string
}

type Names = Pick<Setting, 'folder_name' | 'group_name'>

const setting = statement<Setting, Names & { at: string | null }>(
  (values) => sql`
    with ${lockedPlace(values)}, held as materialized (
      select g.id, g.name from locked cross join groups g
      where g.workspace_id = ${values.workspace_id} and g.id = ${values.group_id}
      for no key update of g
    ), subject as (
      select locked.workspace_id, held.id, jsonb_build_object('folder_id', jsonb_build_object('after', locked.id))
        || set_rights(locked.workspace_id, held.id, locked.id, locked.id_path, ${values.flags}::text[],
          ${values.values}::boolean[]) as changes
      from locked cross join held where locked.name = ${values.folder_name} and held.name = ${values.group_name}
    ), ${recordOf(values, sql`changes`)}
    select locked.name as folder_name, held.name as group_name, noted.created_at as at
    from locked cross join held left join noted on true`,
)

/**
 * Sets flags of a group on a folder and everything below it, and records the act that `told` makes of the names. Changes
 * of one group wait for each other.
 * @returns the act and its time
 * @throws ApiError 404 if the folder or the group was deleted meanwhile
 */
export async function setFlags<Act extends Activity>(
  db: Db,
  { workspace, ...group }: AdministeredGroup,
  folder: VisibleFolder,
  changes: readonly FlagChange[],
  told: (names: Names) => Act,
): Promise<{ act: Act; at: string }> {
  const place = { organization_id: workspace.organization_id, workspace_id: workspace.id, folder_id: folder.id }
  const flags = changes.map(({ flag }) => flag)
  const values = changes.map(({ value }) => value)
  let names: Names = { folder_name: folder.name, group_name: group.name }
  for (;;) {
    const act = told(names)
    const set = { ...place, group_id: group.id, flags, values, ...names, ...recordingOf(workspace, act) }
    const [row] = await setting(db, set)
    if (!row) throw notFound()
    const { at, ...found } = row
    if (at !== null) return { act, at }
    // Another act renamed the folder or the group first.
    names = found
  }
}

const settingRows = statement<
  Record<'workspace_id' | 'group_id' | 'folder_id', number> & {
    id_path: readonly number[]
    flags: Flag[]
    values: (boolean | null)[]
  },
  object
>(
  (to) => sql`
    select from set_rights(${to.workspace_id}, ${to.group_id}, ${to.folder_id}, ${to.id_path}::int[], ${to.flags}::text[],
      ${to.values}::boolean[])`,
)

/** The same for flags that may inherit their value, without a record. Requires the locks. */
export async function setRows(
  db: Db,
  { id: group_id, workspace }: AdministeredGroup,
  { id: folder_id, id_path }: { id: number; id_path: readonly number[] },
  wanted: readonly { flag: Flag; value: boolean | null }[],
): Promise<void> {
  const flags = wanted.map(({ flag }) => flag)
  const values = wanted.map(({ value }) => value)
  await settingRows(db, { workspace_id: workspace.id, group_id, folder_id, id_path, flags, values })
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
