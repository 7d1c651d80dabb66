import type { Db } from '../../db/pool.ts'
import { notFound, refusal } from '../../base/errors.ts'
import type { DownloadableFile, ManagedFile, ReadableFile, Workspace } from '../scopes.ts'
import { enterFolder } from './folder.ts'

/** @throws ApiError 404 if the file or its folder is absent or not viewable */
export async function enterFile(db: Db, workspace: Workspace, fileId: number): Promise<ReadableFile> {
  const file = await db
    .selectFrom('files')
    .select(['id', 'folder_id'])
    .where('workspace_id', '=', workspace.id)
    .where('id', '=', fileId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!file) throw notFound()
  const folder = await enterFolder(db, workspace, file.folder_id)
  if (!folder.rights.view) throw notFound()
  return { id: file.id, folder } as ReadableFile
}

/** @throws ApiError 403 without the download right on its folder */
export async function openFileForDownload(db: Db, workspace: Workspace, fileId: number): Promise<DownloadableFile> {
  const file = await enterFile(db, workspace, fileId)
  if (!file.folder.rights.download) throw refusal('no_download')
  return file as DownloadableFile
}

/** @throws ApiError 403 unless workspace admin or in a group with file-managing abilities and the upload right there */
export async function manageFile(db: Db, workspace: Workspace, fileId: number): Promise<ManagedFile> {
  const file = await enterFile(db, workspace, fileId)
  if (!file.folder.manages_files) throw refusal('no_change')
  return file as ManagedFile
}
