import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { statement } from '../../db/statement.ts'
import { notFound, refusal } from '../../base/errors.ts'
import type { DownloadableFile, ManagedFile, ReadableFile, Workspace } from '../scopes.ts'
import type { Fragment } from '../sql.ts'
import { enterFolder } from './folder.ts'
import { take } from './known.ts'

/** @throws ApiError 404 if the file or its folder is absent or not viewable */
export async function enterFile(db: Db, workspace: Workspace, fileId: number): Promise<ReadableFile> {
  const known = take<FileRow>(workspace, 'file', fileId)
  const file = known ? known.row : (await fileRows(db, { workspaceId: workspace.id, id: fileId }))[0]
  if (!file) throw notFound()
  const folder = await enterFolder(db, workspace, file.folder_id)
  if (!folder.rights.view) throw notFound()
  return { id: file.id, folder, infected: file.infected, held: file.held } as ReadableFile
}

interface FileRow {
  id: number
  folder_id: number
  infected: boolean | null
  held: boolean
}

/** A file that is not deleted. Gives one row or none, for a lateral join. */
export const fileIn = (workspaceId: Fragment, id: Fragment): Fragment => sql`(
  select id, folder_id, infected, held from files where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null)`

const fileRows = statement<{ workspaceId: number; id: number }, FileRow>(
  ({ workspaceId, id }) => sql`select f.* from ${fileIn(workspaceId, id)} f`,
)

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
