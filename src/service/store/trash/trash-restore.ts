import { sql } from 'kysely'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import { isInDraft, isInSubtree, settingRights } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { notFound, refusal } from '../../base/errors.ts'
import { type Conflict, findByName } from '../files/file-copy.ts'
import { freeName } from '../files/file-names.ts'
import { nextIndex as nextFileIndex } from '../files/files.ts'
import { refuseTooManyDrafts } from '../folders/drafts.ts'
import { freeFolderName, lockTree, nextIndex, NO_RIGHTS, type RightsInside, summaryOf } from '../folders/folders.ts'
import { type Deletion, findDeletion } from './trash.ts'

export interface Restored {
  type: 'file' | 'folder'
  id: number
  name: string
  folder_id: number
  outcome: 'done' | 'renamed' | 'replaced' | 'skipped'
  /** The version that a replaced file got. */
  version?: number
}

/**
 * Restores a deletion to its place in its former folder, with its overrides, except where an override was set above
 * since. If that folder is gone, restores it to the end of the root, without overrides. A name that is taken gets "
 * (2)", or the versions of a file become versions of the file of that name, or nothing is restored.
 * @throws ApiError 404, 409 for a file of a draft that cannot return to it
 */
export async function restore(
  db: Db,
  workspace: AdministeredWorkspace,
  deletionId: string,
  conflict: Conflict,
): Promise<{ restored: Restored; rights: RightsInside; isOwn: boolean }> {
  await lockTree(db, workspace, 'exclusive')
  const deletion = await findDeletion(db, workspace, deletionId)
  if (!deletion) throw notFound()
  const isOwn = deletion.deleted_by_id === workspace.actor.id
  const folder_id = deletion.in_place ? deletion.parent_id : 0
  if (deletion.type === 'file' && !deletion.in_place) await refusePublishing(db, workspace, deletion.parent_id)
  const settled = await settle(db, workspace, deletion, folder_id, conflict)
  if (settled) return { restored: { ...settled, folder_id }, rights: NO_RIGHTS, isOwn }
  const rights = deletion.in_place ? await restoreRights(db, workspace, deletionId) : NO_RIGHTS
  const put = deletion.type === 'file' ? restoreFile : restoreFolder
  const name = await put(db, workspace, deletion, deletionId, folder_id)
  const outcome = name === deletion.name ? 'done' : 'renamed'
  return { restored: { type: deletion.type, id: deletion.id, name, folder_id, outcome }, rights, isOwn }
}

/** A file of a draft that is in the trash would be seen at once in the root. */
async function refusePublishing(db: Db, { id }: AdministeredWorkspace, folderId: number): Promise<void> {
  const { rows } = await sql<{ in_draft: boolean }>`
    select ${isInDraft(id, sql`f.id_path`)} as in_draft from folders f
    where f.workspace_id = ${id} and f.id = ${folderId}`.execute(db)
  if (rows[0]?.in_draft) throw refusal('file_of_draft')
}

/** Skips an item whose name is taken, or gives its versions to the file of that name. Undefined if it is to be restored. */
async function settle(
  db: Db,
  workspace: AdministeredWorkspace,
  { type, id, name, file_name }: Deletion,
  folderId: number,
  conflict: Conflict,
): Promise<Omit<Restored, 'folder_id'> | undefined> {
  if (conflict === undefined || conflict === 'rename') return undefined
  if (type === 'folder') {
    const isFree = (await freeFolderName(db, workspace, folderId, name)) === name
    return isFree || conflict === 'replace' ? undefined : { type, id, name, outcome: 'skipped' }
  }
  const twin = await findByName(db, workspace, folderId, file_name, id)
  if (!twin) return undefined
  if (conflict === 'skip') return { type, id, name, outcome: 'skipped' }
  const version = await addVersionsOf(db, workspace, id, twin.id)
  return { type, id: twin.id, name: twin.title, outcome: 'replaced', version }
}

/** Moves the versions of a deleted file behind those of another one, so that none is lost. @returns the newest */
async function addVersionsOf(db: Db, workspace: AdministeredWorkspace, id: number, other: number): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    update files f set version = f.version + gone.version, file_size = gone.file_size, file_content_type = gone.file_content_type,
      sha256 = gone.sha256, blob_id = gone.blob_id, viewer_status = gone.viewer_status, pages = gone.pages,
      infected = gone.infected, held = gone.held, damaged = gone.damaged, updated_at = now()
    from files gone
    where f.workspace_id = ${workspace.id} and f.id = ${other} and gone.workspace_id = f.workspace_id and gone.id = ${id}
    returning f.version`.execute(db)
  await sql`
    update file_versions v set file_id = f.id, version = f.version - gone.version + v.version
    from files f, files gone
    where f.workspace_id = ${workspace.id} and f.id = ${other} and gone.workspace_id = f.workspace_id and gone.id = ${id}
      and v.workspace_id = f.workspace_id and v.file_id = gone.id`.execute(db)
  await sql`delete from files where workspace_id = ${workspace.id} and id = ${id}`.execute(db)
  return rows[0]?.version ?? 0
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
  const { rows } = await sql<{ drafts: number }>`
    with revived as (
      update folders set deleted_at = null, deletion_id = null, deleted_by_id = null
      where workspace_id = ${workspace.id} and deletion_id = ${deletionId} and deleted_at is not null
      returning is_draft
    ), revived_files as (
      update files set deleted_at = null, deletion_id = null, deleted_by_id = null
      where workspace_id = ${workspace.id} and deletion_id = ${deletionId} and deleted_at is not null
    )
    select count(*) filter (where is_draft)::int as drafts from revived`.execute(db)
  if (rows[0] && rows[0].drafts > 0) await refuseTooManyDrafts(db, workspace)
  return free
}

async function restoreRights(db: Db, workspace: AdministeredWorkspace, deletionId: string): Promise<RightsInside> {
  const { rows } = await sql<RightsInside>`
    with back as (
      delete from trashed_permissions t using folders f
      where t.workspace_id = ${workspace.id} and f.workspace_id = t.workspace_id and f.id = t.folder_id
        and f.deletion_id = ${deletionId} and f.deleted_at is not null
      returning t.*
    ), ${settingRights('back')}
    ${summaryOf('back')}`.execute(db)
  return rows[0] ?? NO_RIGHTS
}

/**
 * Gives the whole subtree new paths, including parts of other deletions, and deletes its trashed overrides. A folder that
 * leaves a draft is a draft itself.
 */
async function moveToRoot(db: Db, workspace: AdministeredWorkspace, folderId: number): Promise<void> {
  await sql`
    delete from trashed_permissions t using folders top
    where t.workspace_id = ${workspace.id} and top.workspace_id = t.workspace_id and top.id = ${folderId}
      and ${isInSubtree(sql`t.id_path`, sql`top.id_path`)}`.execute(db)
  await sql`
    update folders d set id_path = '{0}'::int[] || d.id_path[cardinality(top.id_path):],
      is_draft = d.is_draft or d.id = top.id and ${isInDraft(workspace.id, sql`top.id_path`)}
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
