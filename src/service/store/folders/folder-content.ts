import { type RawBuilder, sql } from 'kysely'
import { viewable, visible } from '../../access/grants.ts'
import type { VisibleFolder, Workspace } from '../../access/scopes.ts'
import { hasOwnView } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'
import { mapInTurns } from '../../base/turns.ts'
import { type FileCompact, fileCompactColumns } from '../files/file-columns.ts'
import { type FolderRow, getAncestry, toMeta } from './folder-rows.ts'

export interface Page {
  page: number
  per_page: number
}

/**
 * A folder with the immediate subfolders and files that the caller can see, in sibling order. Pages list subfolders
 * before files; `totals` counts both.
 */
export async function getContent(db: Db, folder: VisibleFolder, page?: Page) {
  const { workspace } = folder
  const [self, ancestry, totals] = await Promise.all([
    getRow(db, folder),
    getAncestry(db, workspace, folder.id_path),
    countContent(db, folder),
  ])
  const offset = page ? (page.page - 1) * page.per_page : 0
  const limit = page?.per_page ?? totals.folders + totals.files
  const folders = await listSubfolders(db, folder, Math.min(offset, totals.folders), limit)
  const files = await listFiles(db, folder, Math.max(0, offset - totals.folders), limit - folders.length)
  const parentPath = ancestry.path.slice(0, ancestry.path.lastIndexOf('/')) || '/'
  return {
    folder: toMeta(workspace, { ...self, children: totals.folders }, parentPath),
    immediate_subfolders: await mapInTurns(folders, (row) => toMeta(workspace, row, ancestry.path)),
    immediate_subfiles: files,
    abilities: { ...folder.rights, manage: folder.manages_files },
    totals,
  }
}

export async function getMeta(db: Db, folder: VisibleFolder) {
  const { workspace } = folder
  const [self, parent] = await Promise.all([
    getRow(db, folder),
    getAncestry(db, workspace, folder.id_path.slice(0, -1)),
  ])
  return toMeta(workspace, self, parent.path)
}

async function getRow(db: Db, { workspace, id, path_node }: VisibleFolder): Promise<FolderRow> {
  const { rows } = await sql<Omit<FolderRow, 'path_node'>>`
    select ${folderColumns(workspace)} from folders f
    where f.workspace_id = ${workspace.id} and f.id = ${id}`.execute(db)
  if (!rows[0]) throw new Error(`folder ${id} left while it was read`)
  return { ...rows[0], path_node }
}

async function countContent(db: Db, folder: VisibleFolder): Promise<{ folders: number; files: number }> {
  const { workspace, id, rights } = folder
  const { rows } = await sql<{ folders: number; files: number }>`
    select (select count(*) from folders f where ${isVisibleChild(folder)}) as folders,
      ${rights.view ? sql`(select count(*) from files where workspace_id = ${workspace.id} and folder_id = ${id} and deleted_at is null)` : sql`0`} as files`.execute(
    db,
  )
  return rows[0] ?? { folders: 0, files: 0 }
}

async function listSubfolders(db: Db, folder: VisibleFolder, offset: number, limit: number): Promise<FolderRow[]> {
  if (limit <= 0) return []
  const { workspace } = folder
  const { rows } = await sql<FolderRow>`
    select ${folderColumns(workspace)}, not ${isViewableChild(folder)} as path_node
    from folders f where ${isVisibleChild(folder)}
    order by f.index offset ${offset} limit ${limit}`.execute(db)
  return rows
}

async function listFiles(db: Db, folder: VisibleFolder, offset: number, limit: number): Promise<FileCompact[]> {
  if (limit <= 0 || !folder.rights.view) return []
  const { rows } = await sql<FileCompact>`
    select ${fileCompactColumns} from files f
    where f.workspace_id = ${folder.workspace.id} and f.folder_id = ${folder.id} and f.deleted_at is null
    order by f.index offset ${offset} limit ${limit}`.execute(db)
  return rows
}

/** Columns of folders `f` for a `FolderRow`. */
export function folderColumns(workspace: Workspace): RawBuilder<unknown> {
  return sql`f.id, coalesce(f.parent_id, 0) as parent_id, f.name, f.index, f.id_path, f.created_at, f.updated_at,
    f.last_updated_user_id, (select count(*) from folders c where c.workspace_id = f.workspace_id and c.parent_id = f.id
      and c.deleted_at is null and ${visible(workspace, sql`c.id_path`)}) as children`
}

function isVisibleChild(folder: VisibleFolder): RawBuilder<boolean> {
  const { workspace, id, rights } = folder
  const child = sql`f.workspace_id = ${workspace.id} and f.parent_id = ${id} and f.deleted_at is null`
  if (workspace.admin) return sql`${child}`
  return sql`${child} and case when ${hasOwnView(workspace.id, workspace.group_ids, sql`f.id_path`)} then ${visible(workspace, sql`f.id_path`)} else ${rights.view} end`
}

function isViewableChild(folder: VisibleFolder): RawBuilder<boolean> {
  const { workspace, rights } = folder
  if (workspace.admin) return sql`true`
  return sql`(case when ${hasOwnView(workspace.id, workspace.group_ids, sql`f.id_path`)} then ${viewable(workspace, sql`f.id_path`)} else ${rights.view} end)`
}
