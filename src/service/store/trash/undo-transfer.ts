import { sql } from 'kysely'
import type { FeedAct, Told } from '../../../contract/acts.ts'
import { manageFile } from '../../access/enter/file.ts'
import { manageFolder } from '../../access/enter/folder.ts'
import type { AdministeredWorkspace, ManagedFile, ManagedFolder } from '../../access/scopes.ts'
import { ApiError, refusal } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { addVersion, moveFile } from '../files/file-copy.ts'
import { closeGap, deleteFile, lockFile, reindexFile } from '../files/files.ts'
import {
  deleteFolder,
  freeFolderName,
  lockTree,
  moveFolder,
  reindexFolder,
  restoreOverrides,
} from '../folders/folders.ts'
import { readOrder, restoreOrder } from '../folders/renumber.ts'
import { restore } from './trash-restore.ts'
import { type FileUndo, type FolderUndo, type Moment, takeUndo } from './undos.ts'

type Undone = Told<FeedAct>

/** Undoes the actor's own move or copy of a file. @throws ApiError 409 if it has changed since */
export async function undoFileChange(
  db: Db,
  workspace: AdministeredWorkspace,
  id: number,
  undoId: number,
): Promise<Undone> {
  await lockTree(db, workspace, 'exclusive')
  const { change } = await takeUndo(db, workspace, 'file', id, undoId)
  const file = await unlessGone(manageFile(db, workspace, id))
  switch (change.kind) {
    case 'copy': {
      const { title, index } = await deleteFile(db, file)
      await closeGap(db, workspace, file.folder.id, index)
      return { act: 'file_copy_undone', params: { title } }
    }
    case 'replace':
      return undoVersion(db, workspace, file, change)
    case 'move':
      return moveFileBack(db, workspace, file, change)
  }
}

/** The former version becomes the newest, so that what was read meanwhile stays known; a moved file returns to its folder. */
async function undoVersion(
  db: Db,
  workspace: AdministeredWorkspace,
  file: ManagedFile,
  change: FileUndo & { kind: 'replace' },
): Promise<Undone> {
  const { version, title } = await lockFile(db, file)
  if (version !== change.version) throw refusal('undo_over')
  await addVersion(db, workspace, file.id, { file_id: file.id, version: version - 1 })
  if (change.deletion_id !== null) await unlessGone(restore(db, workspace, change.deletion_id, undefined))
  return { act: 'file_version_undone', params: { version: String(version), title } }
}

async function moveFileBack(
  db: Db,
  workspace: AdministeredWorkspace,
  file: ManagedFile,
  { to, given, folder_id, index, names }: FileUndo & { kind: 'move' },
): Promise<Undone> {
  if (file.folder.id !== to) throw refusal('undo_over')
  const former = await unlessGone(manageFolder(db, workspace, folder_id))
  const { title } = await lockFile(db, file)
  // A title that was given since stays.
  const wanted = { ...names, title: title === given.title ? names.title : title }
  const back = await moveFile(db, file, former, undefined, wanted)
  await reindexFile(db, await manageFile(db, workspace, file.id), index)
  return { act: 'file_move_undone', params: { title: back.title, target: back.itinerary.destination } }
}

/** Undoes the actor's own move or copy of a folder. @throws ApiError 409 if it, or the rights there, have changed since */
export async function undoFolderChange(
  db: Db,
  workspace: AdministeredWorkspace,
  id: number,
  undoId: number,
): Promise<Undone> {
  await lockTree(db, workspace, 'exclusive')
  const { change, ...made } = await takeUndo(db, workspace, 'folder', id, undoId)
  const folder = await unlessGone(manageFolder(db, workspace, id))
  if (change.kind === 'move') return moveFolderBack(db, workspace, folder, { ...change, ...made })
  if (change.kind === 'order') return orderBack(db, folder, change)
  const { former } = await deleteFolder(db, folder)
  return { act: 'folder_copy_undone', params: { name: former.name } }
}

async function orderBack(
  db: Db,
  folder: ManagedFolder,
  { before, after }: FolderUndo & { kind: 'order' },
): Promise<Undone> {
  const now = await readOrder(db, folder)
  if (!isSameOrder(now.folders, after.folders) || !isSameOrder(now.files, after.files)) throw refusal('undo_over')
  await restoreOrder(db, folder, before)
  return { act: 'folder_renumber_undone', params: { name: folder.name } }
}

/** Compares what is in both: what was added or removed since has no former place. */
function isSameOrder(now: readonly number[], then: readonly number[]): boolean {
  const [present, known] = [new Set(now), new Set(then)]
  const left = then.filter((id) => present.has(id))
  return now.filter((id) => known.has(id)).every((id, at) => id === left[at])
}

async function moveFolderBack(
  db: Db,
  workspace: AdministeredWorkspace,
  folder: ManagedFolder,
  change: FolderUndo & { kind: 'move' } & Moment,
): Promise<Undone> {
  if (folder.parent_id !== change.to) throw refusal('undo_over')
  const former = await unlessGone(manageFolder(db, workspace, change.parent_id))
  if (change.overrides.length > 0) {
    if (String(former.id_path) !== String(change.parent_path)) throw refusal('undo_over')
    await refuseNewerRights(db, workspace, change)
  }
  const { lost, itinerary } = await moveFolder(db, folder, former, undefined)
  // Rights that were set in it since would be lost.
  if (lost.count > 0) throw refusal('undo_over')
  const name =
    itinerary.name === change.given && change.given !== change.name
      ? await giveName(db, workspace, folder, former, change.name)
      : itinerary.name
  const back = await manageFolder(db, workspace, folder.id)
  await reindexFolder(db, back, change.index)
  await restoreOverrides(db, back, change.overrides)
  return { act: 'folder_move_undone', params: { name, target: itinerary.destination } }
}

async function giveName(
  db: Db,
  workspace: AdministeredWorkspace,
  { id }: ManagedFolder,
  parent: ManagedFolder,
  wanted: string,
): Promise<string> {
  const name = await freeFolderName(db, workspace, parent.id, wanted)
  await db
    .updateTable('folders')
    .set({ name })
    .where('workspace_id', '=', workspace.id)
    .where('id', '=', id)
    .executeTakeFirst()
  return name
}

/** A right that was granted or revoked since may cover the former place: the overrides that the move removed are older. */
async function refuseNewerRights(
  db: Db,
  { id }: AdministeredWorkspace,
  { created_at, last_activity_id }: Moment,
): Promise<void> {
  const { rows } = await sql<{ newer: boolean }>`
    select exists (
      select from activities where workspace_id = ${id} and created_at >= ${created_at}::timestamptz
        and id > ${last_activity_id ?? 0}
        and (act ~ '^(view|download|upload)_(granted|revoked|grant_undone|revocation_undone)$' or act = 'rights_prepared')
    ) as newer`.execute(db)
  if (rows[0]?.newer) throw refusal('undo_over')
}

async function unlessGone<T>(entering: Promise<T>): Promise<T> {
  try {
    return await entering
  } catch (error) {
    throw error instanceof ApiError && error.status === 404 ? refusal('undo_over') : error
  }
}
