import { sql } from 'kysely'
import type { AdministeredWorkspace } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'
import { notFound } from '../errors.ts'
import { freeName } from './file-names.ts'
import { nextIndex as nextFileIndex } from './files.ts'
import { freeFolderName } from './folder-copy.ts'
import { lockTree, nextIndex } from './folders.ts'
import { type Deletion, findDeletion } from './trash.ts'

export interface Restored {
  type: 'file' | 'folder'
  id: number
  name: string
  folder_id: number
}

/**
 * Brings back what one deletion took, to the end of the folder it was in, or of the root where that is gone. Rights went
 * with the deletion: it takes those of where it comes to. A name that is taken gets " (2)".
 * @throws ApiError 404
 */
export async function restore(db: Db, workspace: AdministeredWorkspace, deletionId: string): Promise<Restored> {
  await lockTree(db, workspace, 'exclusive')
  const deletion = await findDeletion(db, workspace, deletionId)
  if (!deletion) throw notFound()
  const folder_id = deletion.in_place ? deletion.parent_id : 0
  const put = deletion.type === 'file' ? restoreFile : restoreFolder
  const name = await put(db, workspace, deletion, deletionId, folder_id)
  return { type: deletion.type, id: deletion.id, name, folder_id }
}

async function restoreFolder(
  db: Db,
  workspace: AdministeredWorkspace,
  { id, name, in_place }: Deletion,
  deletionId: string,
  parentId: number,
): Promise<string> {
  const free = await freeFolderName(db, workspace, parentId, name)
  if (!in_place) await moveToRoot(db, workspace, id)
  await sql`
    update folders set parent_id = ${parentId}, name = ${free}, index = ${nextIndex(workspace, parentId)}, updated_at = now()
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

/** The whole subtree gets new paths, also what other deletions took from it. */
async function moveToRoot(db: Db, workspace: AdministeredWorkspace, folderId: number): Promise<void> {
  await sql`
    update folders d set id_path = '{0}'::int[] || d.id_path[cardinality(top.id_path):]
    from folders top
    where top.workspace_id = ${workspace.id} and top.id = ${folderId} and d.workspace_id = top.workspace_id
      and d.id_path >= top.id_path and d.id_path < id_path_end(top.id_path)`.execute(db)
}

async function restoreFile(
  db: Db,
  workspace: AdministeredWorkspace,
  { id }: Deletion,
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
  await sql`
    update files set deleted_at = null, deletion_id = null, deleted_by_id = null, folder_id = ${folderId}, file_name = ${free},
      title = ${restored}, index = ${nextFileIndex(workspace, folderId)}, updated_at = now()
    where workspace_id = ${workspace.id} and id = ${id}`.execute(db)
  return restored
}
