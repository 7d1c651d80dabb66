import { sql } from 'kysely'
import type { VisibleFolder } from '../../access/scopes.ts'
import { together } from '../../db/pipelined-dialect.ts'
import { JsonList, readJsonList } from '../../db/json-list.ts'
import type { Db } from '../../db/pool.ts'
import { mapInTurns } from '../../base/turns.ts'
import { fileCompactJson } from '../files/file-columns.ts'
import { folderColumns, type FolderRow, getAncestry, toMeta } from './folder-rows.ts'
import { allSubfolders, lookInto, type Sight } from './subfolders.ts'

export interface Page {
  page: number
  per_page: number
}

/**
 * The state of `getContent`: as long as it is the same, so is the content. It is found before the content is read, which
 * may therefore be newer than its state but never older. Undefined if it was not read when the folder was entered.
 */
export function stateOfContent({ workspace, ...folder }: VisibleFolder, page?: Page): string | undefined {
  if (folder.listed_state === null) return undefined
  const { id, admin, group_ids } = workspace
  return JSON.stringify([id, admin || group_ids, folder, page])
}

/**
 * A folder with the immediate subfolders and files that the caller can see, in sibling order. Pages list subfolders
 * before files; `totals` counts both.
 */
export async function getContent(db: Db, folder: VisibleFolder, page?: Page) {
  const { workspace } = folder
  const { self, ancestry, subfolders, subfiles, totals } = await together(db, (one) =>
    page ? readPage(one, folder, page) : readAll(one, folder),
  )
  const parentPath = ancestry.path.slice(0, ancestry.path.lastIndexOf('/')) || '/'
  return {
    folder: toMeta(workspace, { ...self, children: totals.folders }, parentPath),
    immediate_subfolders: await mapInTurns(subfolders, (row) => toMeta(workspace, row, ancestry.path)),
    immediate_subfiles: subfiles,
    abilities: { ...folder.rights, manage: folder.manages_files },
    totals,
  }
}

async function readAll(db: Db, folder: VisibleFolder) {
  const looking = lookInto(db, folder)
  const [self, ancestry, subfolders, subfiles] = await Promise.all([
    getRow(db, folder),
    getAncestry(db, folder.workspace, folder.id_path),
    looking.then((sight) => listSubfolders(db, sight, 0, null)),
    listFiles(db, folder, 0, null),
  ])
  return { self, ancestry, subfolders, subfiles, totals: { folders: subfolders.length, files: subfiles.length } }
}

async function readPage(db: Db, folder: VisibleFolder, { page, per_page }: Page) {
  const { workspace } = folder
  const [self, ancestry, sight, files] = await Promise.all([
    getRow(db, folder),
    getAncestry(db, workspace, folder.id_path),
    lookInto(db, folder),
    countFiles(db, folder),
  ])
  const totals = { folders: sight.countIn(folder.id, self.children), files }
  const offset = (page - 1) * per_page
  const onPage = Math.min(per_page, Math.max(0, totals.folders - offset))
  const [subfolders, subfiles] = await Promise.all([
    listSubfolders(db, sight, offset, onPage),
    listFiles(db, folder, Math.max(0, offset - totals.folders), per_page - onPage),
  ])
  return { self, ancestry, subfolders, subfiles, totals }
}

export async function getMeta(db: Db, folder: VisibleFolder) {
  const { workspace } = folder
  const [self, parent, sight] = await together(db, (one) =>
    Promise.all([getRow(one, folder), getAncestry(one, workspace, folder.id_path.slice(0, -1)), lookInto(one, folder)]),
  )
  return toMeta(workspace, { ...self, children: sight.countIn(folder.id, self.children) }, parent.path)
}

/** `children` counts all subfolders, hidden ones too. */
async function getRow(db: Db, { workspace, id, path_node }: VisibleFolder): Promise<FolderRow> {
  const { rows } = await sql<Omit<FolderRow, 'path_node'>>`
    select ${folderColumns(allSubfolders)} from folders f
    where f.workspace_id = ${workspace.id} and f.id = ${id}`.execute(db)
  if (!rows[0]) throw new Error(`folder ${id} left while it was read`)
  return { ...rows[0], path_node }
}

async function countFiles(db: Db, { workspace, id, rights }: VisibleFolder): Promise<number> {
  if (!rights.view) return 0
  const { rows } = await sql<{ files: number }>`
    select count(*) as files from files
    where workspace_id = ${workspace.id} and folder_id = ${id} and deleted_at is null`.execute(db)
  return rows[0]?.files ?? 0
}

/** Without a limit, lists all. */
async function listSubfolders(db: Db, sight: Sight, offset: number, limit: number | null): Promise<FolderRow[]> {
  if (limit !== null && limit <= 0) return []
  const { rows } = await sql<Omit<FolderRow, 'path_node'>>`
    select ${folderColumns(allSubfolders)} from folders f where ${sight.isShown}
    order by f.index offset ${offset} limit ${limit}::int`.execute(db)
  return mapInTurns(rows, (row) => {
    return { ...row, children: sight.countBelow(row, row.children), path_node: !sight.mayView(row) }
  })
}

async function listFiles(db: Db, folder: VisibleFolder, offset: number, limit: number | null): Promise<JsonList> {
  if ((limit !== null && limit <= 0) || !folder.rights.view) return new JsonList([])
  return readJsonList(
    db,
    sql`(
      select ${fileCompactJson} as element, f.index as position from files f
      where f.workspace_id = ${folder.workspace.id} and f.folder_id = ${folder.id} and f.deleted_at is null
      order by f.index offset ${offset} limit ${limit}::int)`,
  )
}
