import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { notFound, refusal } from '../../base/errors.ts'
import { rightsIn } from '../grants.ts'
import type { ManagedFolder, Rights, UploadableFolder, VisibleFolder, Workspace } from '../scopes.ts'
import { leadsToVisible, rightsOf } from '../sql.ts'

const EVERYTHING: Rights = { view: true, download: true, upload: true }

interface FolderRow extends Rights {
  id: number
  parent_id: number
  name: string
  index: number
  id_path: number[]
  leads: boolean
  manages: boolean
}

/** Enters any folder that the caller can at least pass through. Every member knows the root (0), "All Folders". */
export async function enterFolder(db: Db, workspace: Workspace, folderId: number): Promise<VisibleFolder> {
  const row = await findFolder(db, workspace, folderId)
  if (!row || !(row.id === 0 || row.view || row.leads)) throw notFound()
  return folderScope(workspace, row)
}

function folderScope(workspace: Workspace, row: FolderRow): VisibleFolder {
  const { leads: _, manages, view, download, upload, ...folder } = row
  const rights = workspace.admin ? EVERYTHING : { view, download, upload }
  const manages_files = workspace.admin || (manages && rights.upload)
  return { ...folder, workspace, rights, path_node: !rights.view, manages_files } as unknown as VisibleFolder
}

async function findFolder(db: Db, workspace: Workspace, folderId: number): Promise<FolderRow | undefined> {
  const idPath = sql`f.id_path`
  const managing = workspace.managing_group_ids
  const rights = rightsIn(workspace, idPath)
  const { rows } = await sql<FolderRow>`
    select f.id, coalesce(f.parent_id, 0) as parent_id, f.name, f.index, f.id_path, r.view, r.download, r.upload,
      ${workspace.admin ? sql`true` : leadsToVisible(workspace.id, workspace.group_ids, idPath)} as leads,
      ${managing.length > 0 ? sql`(select upload from ${rightsOf(workspace.id, managing, idPath)} m)` : sql`false`} as manages
    from folders f cross join lateral ${rights} r
    where f.workspace_id = ${workspace.id} and f.id = ${folderId} and f.deleted_at is null`.execute(db)
  return rows[0]
}

/** @throws ApiError 403 without the upload right, or for a path node: the caller knows only its name */
export async function openFolderForUpload(db: Db, workspace: Workspace, folderId: number): Promise<UploadableFolder> {
  const folder = await enterFolder(db, workspace, folderId)
  if (!folder.rights.view) throw refusal('no_view')
  if (!folder.rights.upload) throw refusal('no_upload')
  return folder as UploadableFolder
}

/** Enters a folder to rename, reindex, move, copy or delete. The root passes; the endpoints refuse to change it. */
export async function manageFolder(db: Db, workspace: Workspace, folderId: number): Promise<ManagedFolder> {
  const folder = await enterFolder(db, workspace, folderId)
  if (!workspace.admin) throw refusal('folders_by_admins')
  return folder as ManagedFolder
}
