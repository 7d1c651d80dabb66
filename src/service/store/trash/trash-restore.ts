import { sql } from 'kysely'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import { isInSubtree } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { notFound } from '../../base/errors.ts'
import { freeName } from '../files/file-names.ts'
import { nextIndex as nextFileIndex } from '../files/files.ts'
import { freeFolderName } from '../folders/folder-copy.ts'
import { lockTree, nextIndex, NO_RIGHTS, type RightsInside, summaryOf } from '../folders/folders.ts'
import { type Deletion, findDeletion } from './trash.ts'

export interface Restored {
  type: 'file' | 'folder'
  id: number
  name: string
  folder_id: number
}

/**
 * Restores a deletion to its place in its former folder, with its overrides, except where an override was set above
 * since. If that folder is gone, restores it to the end of the root, without overrides. A name that is taken gets "
 * (2)".
 * @throws ApiError 404
 */
export async function restore(
  db: Db,
  workspace: AdministeredWorkspace,
  deletionId: string,
): Promise<{ restored: Restored; rights: RightsInside }> {
  await lockTree(db, workspace, 'exclusive')
  const deletion = await findDeletion(db, workspace, deletionId)
  if (!deletion) throw notFound()
  const folder_id = deletion.in_place ? deletion.parent_id : 0
  const rights = deletion.in_place ? await restoreRights(db, workspace, deletionId) : NO_RIGHTS
  const put = deletion.type === 'file' ? restoreFile : restoreFolder
  const name = await put(db, workspace, deletion, deletionId, folder_id)
  return { restored: { type: deletion.type, id: deletion.id, name, folder_id }, rights }
}

async function restoreFolder(
  db: Db,
  workspace: AdministeredWorkspace,
  { id, name, in_place }: Deletion,
  deletionId: string,
  parentId: number,
): Promise<string> {
  const free = await freeFolderName(db, workspace, parentId, name)
  const end = nextIndex(workspace, parentId)
  if (!in_place) await moveToRoot(db, workspace, id)
  await sql`
    with self as (select index from folders where workspace_id = ${workspace.id} and id = ${id}), behind as (
      update folders set index = folders.index + 1 from self
      where workspace_id = ${workspace.id} and parent_id = ${parentId} and deleted_at is null and ${in_place}
        and folders.index >= self.index
    )
    update folders set parent_id = ${parentId}, name = ${free}, index = ${in_place ? sql`least(index, ${end})` : end},
      updated_at = now()
    where workspace_id = ${workspace.id} and id = ${id}`.execute(db)
  await sql`
    with revived as (
      update folders set deleted_at = null, deletion_id = null, deleted_by_id = null
      where workspace_id = ${workspace.id} and deletion_id = ${deletionId} and deleted_at is not null
    )
    update files set deleted_at = null, deletion_id = null, deleted_by_id = null
    where workspace_id = ${workspace.id} and deletion_id = ${deletionId} and deleted_at is not null`.execute(db)
  return free
}

async function restoreRights(db: Db, workspace: AdministeredWorkspace, deletionId: string): Promise<RightsInside> {
  const { rows } = await sql<RightsInside>`
    with back as (
      delete from trashed_permissions t using folders f
      where t.workspace_id = ${workspace.id} and f.workspace_id = t.workspace_id and f.id = t.folder_id
        and f.deletion_id = ${deletionId} and f.deleted_at is not null
      returning t.*
    ), set as (
      insert into folder_permissions (workspace_id, group_id, flag, folder_id, id_path, value)
      select workspace_id, group_id, flag, folder_id, id_path, value from back
    )
    ${summaryOf('back')}`.execute(db)
  return rows[0] ?? NO_RIGHTS
}

/** Gives the whole subtree new paths, including parts of other deletions, and deletes its trashed overrides. */
async function moveToRoot(db: Db, workspace: AdministeredWorkspace, folderId: number): Promise<void> {
  await sql`
    delete from trashed_permissions t using folders top
    where t.workspace_id = ${workspace.id} and top.workspace_id = t.workspace_id and top.id = ${folderId}
      and ${isInSubtree(sql`t.id_path`, sql`top.id_path`)}`.execute(db)
  await sql`
    update folders d set id_path = '{0}'::int[] || d.id_path[cardinality(top.id_path):]
    from folders top
    where top.workspace_id = ${workspace.id} and top.id = ${folderId} and d.workspace_id = top.workspace_id
      and ${isInSubtree(sql`d.id_path`, sql`top.id_path`)}`.execute(db)
}

async function restoreFile(
  db: Db,
  workspace: AdministeredWorkspace,
  { id, in_place }: Deletion,
  _deletionId: string,
  folderId: number,
): Promise<string> {
  const { rows } = await sql<{ title: string; file_name: string; taken: string[] }>`
    select f.title, f.file_name, array(select o.file_name from files o where o.workspace_id = f.workspace_id
      and o.folder_id = ${folderId} and o.deleted_at is null) as taken
    from files f where f.workspace_id = ${workspace.id} and f.id = ${id}`.execute(db)
  if (!rows[0]) throw notFound()
  const { title, file_name, taken } = rows[0]
  const free = freeName(file_name, new Set(taken))
  const restored = title === file_name ? free : title
  const end = nextFileIndex(workspace, folderId)
  await sql`
    with self as (select index from files where workspace_id = ${workspace.id} and id = ${id}), behind as (
      update files set index = files.index + 1 from self
      where workspace_id = ${workspace.id} and folder_id = ${folderId} and deleted_at is null and ${in_place}
        and files.index >= self.index
    )
    update files set deleted_at = null, deletion_id = null, deleted_by_id = null, folder_id = ${folderId}, file_name = ${free},
      title = ${restored}, index = ${in_place ? sql`least(index, ${end})` : end}, updated_at = now()
    where workspace_id = ${workspace.id} and id = ${id}`.execute(db)
  return restored
}
