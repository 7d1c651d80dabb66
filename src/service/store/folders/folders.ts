import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { outlineAt } from '../../../contract/outline/outline.ts'
import type { ManagedFolder, UploadableFolder, Workspace } from '../../access/scopes.ts'
import { deletingRights, type Fragment, isInDraft, isInSubtree, settingRights } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { type ParametersOf, statement } from '../../db/statement.ts'
import { notFound, unprocessable } from '../../base/errors.ts'
import { type Activity, type Recording, recordingOf, recordOf } from '../audit/activities.ts'
import { freeNumbered } from '../files/file-names.ts'
import type { FolderUndo } from '../trash/undos.ts'
import { refuseTooManyDrafts } from './drafts.ts'
import { folderColumns, type FolderMeta, type FolderRow, getAncestry, toMeta } from './folder-rows.ts'
import { isRenumbered, outlineForAdmins } from './outlines.ts'
import { allSubfolders } from './subfolders.ts'

/** Maximum depth of a folder: id paths are index keys. */
const MAX_DEPTH = 100

/**
 * Locks the folder tree until the end of the transaction: `exclusive` to move, copy, delete or restore subtrees,
 * `share` for all other changes. Always the first lock of a transaction.
 */
export async function lockTree(
  db: Db,
  workspace: Pick<Workspace, 'organization_id' | 'id'>,
  mode: 'share' | 'exclusive',
): Promise<void> {
  const lock = mode === 'share' ? sql`for share` : sql`for update`
  await sql`select from workspaces where organization_id = ${workspace.organization_id} and id = ${workspace.id} ${lock}`.execute(
    db,
  )
}

/** A folder as read under the lock: it may have been renamed while the act waited. */
export interface LockedFolder {
  name: string
  id_path: number[]
}

/** Locks a folder for changes among its children. @throws ApiError 404 if it was deleted meanwhile */
export async function lockFolder(db: Db, workspace: Pick<Workspace, 'id'>, folderId: number): Promise<LockedFolder> {
  const row = await db
    .selectFrom('folders')
    .select(['name', 'id_path'])
    .where('workspace_id', '=', workspace.id)
    .where('id', '=', folderId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

export interface Place {
  organization_id: number
  workspace_id: number
  folder_id: number
}

/** Parts `tree` and `locked` of a statement: the same locks as `lockTree` in mode `share` and `lockFolder`, in that order. */
export const lockedPlace = ({ organization_id, workspace_id, folder_id }: ParametersOf<Place>) => sql`
  tree as materialized (
    select from workspaces where organization_id = ${organization_id} and id = ${workspace_id} for share
  ), locked as materialized (
    select f.workspace_id, f.id, f.name, f.id_path from tree cross join folders f
    where f.workspace_id = ${workspace_id} and f.id = ${folder_id} and f.deleted_at is null
    for update of f
  )`

/** Names of the folders on a path, from below the root down. */
const namesAbove = (idPath: Fragment, { workspace_id }: ParametersOf<Place>) => sql`array(
  select above.name from folders above
  where above.workspace_id = ${workspace_id} and above.id <> 0 and above.id = any(${idPath})
  order by cardinality(above.id_path))`

interface NewFolder extends Recording, Place {
  name: string
  is_draft: boolean
}

/** Without an id if the parent is as deep as folders may be. */
type Inserted = { parent_names: string[]; parent_outline: string } & Omit<
  FolderRow,
  'path_node' | 'children' | 'outline' | 'draft' | 'id'
> & { id: number | null }

const insertion = statement<NewFolder, Inserted>(
  (values) => sql`
    with ${lockedPlace(values)}, subject as (
      insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id, is_draft)
      select workspace_id, new_id, id, ${values.name}, next_folder_index(workspace_id, id, ${values.is_draft}),
        id_path || new_id, ${values.user_id}, ${values.is_draft}
      from (select *, nextval(pg_get_serial_sequence('folders', 'id'))::int as new_id from locked) parent
      where cardinality(id_path) < ${MAX_DEPTH}
      returning *
    ), ${recordOf(values)}
    select ${namesAbove(sql`locked.id_path`, values)} as parent_names, ${outlineForAdmins(sql`locked.id_path`, values)} as parent_outline, f.id, f.parent_id, f.name, f.index, f.id_path,
      f.created_at, f.updated_at, f.last_updated_user_id, f.number_length
    from locked left join subject f on true`,
)

/** Appends a folder to the parent, and records the act. A draft requires the exclusive lock of the tree. */
export async function insertFolder(
  db: Db,
  parent: UploadableFolder,
  name: string,
  act: Activity,
  is_draft = false,
): Promise<FolderMeta> {
  const { id: workspace_id, organization_id } = parent.workspace
  const place = { organization_id, workspace_id, folder_id: parent.id }
  const [row] = await insertion(db, { ...place, name, is_draft, ...recordingOf(parent.workspace, act) })
  if (!row) throw notFound()
  const { parent_names, parent_outline, id, ...folder } = row
  if (id === null) throw unprocessable('parent_id', 'max_depth', { limit: MAX_DEPTH })
  const { outline } = isRenumbered(parent.workspace)
    ? await getAncestry(db, parent.workspace, folder.id_path)
    : { outline: outlineAt(parent_outline, folder.index) }
  return toMeta(
    parent.workspace,
    { ...folder, id, outline, path_node: false, children: 0, draft: parent.in_draft || is_draft },
    `/${parent_names.join('/')}`,
  )
}

/** The index behind the parent's last subfolder that is not a draft. */
export function nextIndex(workspace: Workspace, parentId: number) {
  return sql`(select coalesce(max(index), 0) + 1 from folders
    where workspace_id = ${workspace.id} and parent_id = ${parentId} and deleted_at is null and not is_draft)`
}

interface NewName extends Recording, Place {
  name: string
  /** The rename is made only if this is still the name. */
  former_name: string
}

type Renamed = { found_name: string; parent_names: string[] } & Omit<FolderRow, 'path_node' | 'id'> & {
    id: number | null
  }

/** Also takes the tree lock, so that names stay the same under the exclusive lock. */
const renaming = statement<NewName, Renamed>(
  (values) => sql`
    with ${lockedPlace(values)}, subject as (
      update folders f set name = ${values.name}, updated_at = now(), last_updated_user_id = ${values.user_id}
      from locked where f.workspace_id = locked.workspace_id and f.id = locked.id and locked.name = ${values.former_name}
      returning f.*
    ), ${recordOf(values)}
    select locked.name as found_name, ${namesAbove(sql`locked.id_path[:cardinality(locked.id_path) - 1]`, values)} as parent_names,
      ${outlineForAdmins(sql`f.id_path`, values)} as outline, ${folderColumns(allSubfolders)}
    from locked left join subject f on true`,
)

/**
 * Gives a folder another name, and records the act that `told` makes of the former name. Nothing changes if the folder has
 * that name already.
 */
export async function renameFolder(
  db: Db,
  { workspace, ...folder }: ManagedFolder,
  name: string,
  told: (former: string) => Activity,
): Promise<FolderMeta | undefined> {
  const place = { organization_id: workspace.organization_id, workspace_id: workspace.id, folder_id: folder.id }
  // Another rename may have come first. Then its name is the former one.
  for (let former_name = folder.name; former_name !== name;) {
    const [row] = await renaming(db, { ...place, name, former_name, ...recordingOf(workspace, told(former_name)) })
    if (!row) throw notFound()
    const { found_name, parent_names, id, ...rest } = row
    if (id !== null)
      return toMeta(workspace, { ...rest, id, path_node: false, draft: folder.in_draft }, `/${parent_names.join('/')}`)
    former_name = found_name
  }
  return undefined
}

/** Gives a folder another index among its siblings, which close up. An index beyond the end means the end. */
export async function reindexFolder(db: Db, folder: ManagedFolder, index: number): Promise<void> {
  const { workspace } = folder
  await lockTree(db, workspace, 'share')
  await lockFolder(db, workspace, folder.parent_id)
  await sql`
    with siblings as (
      select id, index, (count(*) over ())::int as total from folders
      where workspace_id = ${workspace.id} and parent_id = ${folder.parent_id} and deleted_at is null
    ), move as (
      select index as source, least(${index}::int, total) as target from siblings where id = ${folder.id}
    )
    update folders f set
      index = case
        when f.id = ${folder.id} then move.target
        when move.source < move.target then f.index - 1
        else f.index + 1 end,
      updated_at = case when f.id = ${folder.id} then now() else f.updated_at end,
      last_updated_user_id = case when f.id = ${folder.id} then ${workspace.actor.id} else f.last_updated_user_id end
    from move
    where f.workspace_id = ${workspace.id} and f.parent_id = ${folder.parent_id} and f.deleted_at is null
      and f.index between least(source, target) and greatest(source, target)`.execute(db)
}

/** Moves up the siblings behind a freed index. */
async function closeGap(db: Db, workspace: Workspace, parentId: number, index: number): Promise<void> {
  await sql`
    update folders set index = index - 1
    where workspace_id = ${workspace.id} and parent_id = ${parentId} and deleted_at is null and index > ${index}`.execute(
    db,
  )
}

/** Names of a moved or copied folder, its source and its destination, as read under the locks. */
export interface Itinerary {
  name: string
  source: string
  destination: string
}

/** What to do where the destination has a folder of that name. Undefined for a client that does not ask. */
export type FolderConflict = 'rename' | 'skip' | undefined

/** The folder that a move or copy left or made in the destination. */
export interface FolderArrival {
  id: number
  name: string
  outcome: 'done' | 'renamed' | 'skipped'
  itinerary: Itinerary
  undo?: FolderUndo
}

/**
 * Moves a folder and its content to the end of `destination`, whose rights it inherits. `lost`: its overrides. For a client
 * that does not ask, it keeps its name beside a sibling of the same name. A folder that leaves a draft is a draft itself.
 */
export async function moveFolder(
  db: Db,
  folder: ManagedFolder,
  destination: ManagedFolder,
  conflict: FolderConflict,
): Promise<FolderArrival & { lost: RightsInside; former_parent_id: number }> {
  const { workspace } = folder
  await lockTree(db, workspace, 'exclusive')
  const [source, target] = await presentPlaces(db, folder, destination)
  if (target.id_path.includes(folder.id)) {
    throw unprocessable('destination_folder_id', 'outside_itself')
  }
  const { id, name, parent_id, index: formerIndex } = source
  const itinerary = { name, source: source.parent_name, destination: target.name }
  const moved = { id, name, former_parent_id: parent_id, itinerary }
  if (parent_id === destination.id) return { ...moved, lost: NO_RIGHTS, outcome: 'done' }
  const given = conflict === undefined ? name : await freeFolderName(db, workspace, destination.id, name)
  if (conflict === 'skip' && given !== name) return { ...moved, lost: NO_RIGHTS, outcome: 'skipped' }
  await checkDepth(db, workspace, { source: source.id_path, target: target.id_path, trashed: true })
  const lost = await deleteRights(db, workspace, source.id_path, { trashed: false })
  const index = await sql<{ index: number }>`select ${nextIndex(workspace, destination.id)} as index`.execute(db)
  await sql`
    update folders set id_path = ${target.id_path}::int[] || id_path[${source.id_path.length}:]
    where workspace_id = ${workspace.id} and ${isInSubtree(sql`id_path`, source.id_path)}`.execute(db)
  const placed = await sql<{ is_draft: boolean }>`
    update folders set parent_id = ${destination.id}, name = ${given}, index = ${index.rows[0]?.index ?? 1}, updated_at = now(),
      last_updated_user_id = ${workspace.actor.id}, is_draft = ${isDraftIn(workspace, 'folders', source, target)}
    where workspace_id = ${workspace.id} and id = ${folder.id} returning is_draft`.execute(db)
  if (placed.rows[0]?.is_draft) await refuseTooManyDrafts(db, workspace)
  await closeGap(db, workspace, parent_id, formerIndex)
  const parent_path = source.id_path.slice(0, -1)
  const former = { parent_id, parent_path, index: formerIndex, name, overrides: lost.overrides }
  const arrival: FolderArrival = { ...moved, name: given, outcome: given === name ? 'done' : 'renamed' }
  // More overrides than are recorded could not be brought back.
  if (lost.count === lost.overrides.length) arrival.undo = { kind: 'move', to: destination.id, given, ...former }
  return { ...moved, ...arrival, lost }
}

/** Whether a folder, named by the alias of its row, is a draft once it is moved or copied: nothing is published silently. */
export const isDraftIn = (
  { id }: Workspace,
  row: string,
  source: { id_path: readonly number[] },
  target: { id_path: readonly number[] },
): RawBuilder<boolean> =>
  sql`(${sql.ref(`${row}.is_draft`)} or ${isInDraft(id, source.id_path)} and not ${isInDraft(id, target.id_path)})`

/** Returns the name itself, or with " (2)", " (3)" …: the first that no subfolder has. */
export async function freeFolderName(db: Db, workspace: Workspace, parentId: number, name: string): Promise<string> {
  const siblings = await db
    .selectFrom('folders')
    .select('name')
    .where('workspace_id', '=', workspace.id)
    .where('parent_id', '=', parentId)
    .where('deleted_at', 'is', null)
    .execute()
  return freeNumbered(name, '', new Set(siblings.map((row) => row.name)))
}

/** Reads both folders under the exclusive tree lock. @throws ApiError 404 if one was deleted meanwhile */
export async function presentPlaces(db: Db, folder: ManagedFolder, destination: ManagedFolder) {
  const rows = await db
    .selectFrom('folders as f')
    .leftJoin('folders as p', (join) =>
      join.onRef('p.workspace_id', '=', 'f.workspace_id').onRef('p.id', '=', 'f.parent_id'),
    )
    .select(['f.id', 'f.name', 'f.id_path', 'f.index', sql<number>`coalesce(f.parent_id, 0)`.as('parent_id')])
    .select(sql<string>`coalesce(p.name, '')`.as('parent_name'))
    .where('f.workspace_id', '=', folder.workspace.id)
    .where('f.id', 'in', [folder.id, destination.id])
    .where('f.deleted_at', 'is', null)
    .execute()
  const source = rows.find((row) => row.id === folder.id)
  const target = rows.find((row) => row.id === destination.id)
  if (!source || !target) throw notFound()
  return [source, target] as const
}

/** With `trashed`, also counts trashed folders: they move along with their folder and are restored at its new depth. */
export async function checkDepth(
  db: Db,
  workspace: Workspace,
  { source, target, trashed }: { source: readonly number[]; target: readonly number[]; trashed: boolean },
): Promise<void> {
  const { rows } = await sql<{ depth: number }>`
    select max(cardinality(id_path))::int as depth from folders
    where workspace_id = ${workspace.id} and ${isInSubtree(sql`id_path`, source)} and (deleted_at is null or ${trashed})`.execute(
    db,
  )
  const depth = (rows[0]?.depth ?? 0) - source.length + 1 + target.length
  if (depth > MAX_DEPTH) throw unprocessable('destination_folder_id', 'max_depth_below', { limit: MAX_DEPTH })
}

/** Overrides inside a subtree that are removed by a move or deletion, or brought back from the trash. */
export interface RightsInside {
  count: number
  /** The first of them, for the audit entry. */
  overrides: { group_id: number; folder_id: number; flag: string; value: boolean }[]
}

export const NO_RIGHTS: RightsInside = { count: 0, overrides: [] }
const MAX_RECORDED = 1000

/** Summarizes the rows of the named table as `RightsInside`. */
export const summaryOf = (name: string) => sql`
  select (select count(*) from ${sql.table(name)}) as count, coalesce(jsonb_agg(first), '[]') as overrides
  from (
    select group_id, folder_id, flag, value from ${sql.table(name)} order by folder_id, group_id, flag limit ${MAX_RECORDED}
  ) first`

/** A deletion moves the overrides to the trash; a move also deletes those in the trash. A trigger deletes the staged ones. */
async function deleteRights(
  db: Db,
  workspace: Workspace,
  idPath: readonly number[],
  { trashed }: { trashed: boolean },
): Promise<RightsInside> {
  const place = sql`workspace_id = ${workspace.id} and ${isInSubtree(sql`id_path`, idPath)}`
  const inTrash = trashed
    ? sql`insert into trashed_permissions (workspace_id, group_id, flag, folder_id, id_path, value)
        select workspace_id, group_id, flag, folder_id, id_path, value from gone`
    : sql`delete from trashed_permissions where ${place}`
  const { rows } = await sql<RightsInside>`
    with ${deletingRights(place)}, in_trash as (${inTrash})
    ${summaryOf('gone')}`.execute(db)
  return rows[0] ?? NO_RIGHTS
}

/** Brings back overrides that a move removed, on the folders and for the groups that are still there. */
export async function restoreOverrides(
  db: Db,
  { workspace, id_path }: ManagedFolder,
  overrides: RightsInside['overrides'],
): Promise<void> {
  await sql`
    with back as materialized (
      select d.workspace_id, g.id as group_id, o.flag, d.id as folder_id, d.id_path, o.value
      from jsonb_to_recordset(${JSON.stringify(overrides)}::jsonb) as o (group_id int, folder_id int, flag text, value boolean)
      join folders d on d.workspace_id = ${workspace.id} and d.id = o.folder_id and d.deleted_at is null
        and ${isInSubtree(sql`d.id_path`, id_path)}
      join groups g on g.workspace_id = d.workspace_id and g.id = o.group_id
    ), ${settingRights('back')}
    select`.execute(db)
}

/**
 * Reversibly deletes a folder with everything in it and the rights set there.
 * @returns the number of deleted folders including this one, the rights, and the folder's former name and parent
 */
export async function deleteFolder(
  db: Db,
  folder: ManagedFolder,
): Promise<{ deleted: number; lost: RightsInside; former: { name: string; parent_id: number } }> {
  const { workspace } = folder
  // Sent together, but read under the lock.
  const [, [source]] = await Promise.all([lockTree(db, workspace, 'exclusive'), presentPlaces(db, folder, folder)])
  const deletion = sql<{ deleted: number }>`
    with gone as (
      update folders set deleted_at = now(), deletion_id = ${randomUUID()}, deleted_by_id = ${workspace.actor.id}
      where workspace_id = ${workspace.id} and ${isInSubtree(sql`id_path`, source.id_path)} and deleted_at is null
      returning id, deletion_id
    ), files_gone as (
      update files set deleted_at = now(), deletion_id = gone.deletion_id
      from gone where files.workspace_id = ${workspace.id} and files.folder_id = gone.id and files.deleted_at is null
    )
    select count(*) as deleted from gone`
  const [lost, { rows }] = await Promise.all([
    deleteRights(db, workspace, source.id_path, { trashed: true }),
    deletion.execute(db),
    closeGap(db, workspace, source.parent_id, source.index),
  ])
  return { deleted: rows[0]?.deleted ?? 0, lost, former: { name: source.name, parent_id: source.parent_id } }
}
