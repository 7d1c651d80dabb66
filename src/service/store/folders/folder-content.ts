import { sql } from 'kysely'
import { outlineAt } from '../../../contract/outline/outline.ts'
import type { VisibleFolder } from '../../access/scopes.ts'
import { together } from '../../db/pipelined-dialect.ts'
import { JsonList, readJsonList } from '../../db/json-list.ts'
import type { Db } from '../../db/pool.ts'
import { mapInTurns } from '../../base/turns.ts'
import { listedFileJson } from '../files/file-columns.ts'
import { folderColumns, type FolderRow, pathTo, toMeta } from './folder-rows.ts'
import { isRenumbered, numberedPath, outlinesAmong } from './outlines.ts'
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
  const { id, admin, group_ids, numbering } = workspace
  return JSON.stringify([id, admin || group_ids, numbering, folder, page])
}

/**
 * A folder with the immediate subfolders and files that the caller can see, in sibling order. Pages list subfolders
 * before files; `totals` counts both.
 */
export async function getContent(db: Db, folder: VisibleFolder, page?: Page) {
  const { workspace } = folder
  const { self, subfolders, subfiles, totals } = await together(db, (one) =>
    page ? readPage(one, folder, page) : readAll(one, folder),
  )
  const { path, numbered_path, ...row } = self
  const { outline } = row
  return {
    folder: toMeta(workspace, { ...row, children: totals.folders }, parentOf(path)),
    numbered_path,
    immediate_subfolders: await mapInTurns(subfolders, ({ place, ...below }) =>
      toMeta(workspace, { ...below, outline: outlineAt(outline, place) }, path),
    ),
    immediate_subfiles: subfiles,
    abilities: { ...folder.rights, manage: folder.manages_files, sealed: folder.sealed },
    totals,
  }
}

const ALL: Part = { offset: 0, limit: null }

async function readAll(db: Db, folder: VisibleFolder) {
  const looking = lookInto(db, folder)
  const [self, subfolders, subfiles] = await Promise.all([
    getSelf(db, folder),
    looking.then((sight) => listSubfolders(db, folder, sight, ALL)),
    listFiles(db, folder, ALL),
  ])
  return { self, subfolders, subfiles, totals: { folders: subfolders.length, files: subfiles.length } }
}

async function readPage(db: Db, folder: VisibleFolder, { page, per_page }: Page) {
  const [self, sight, files] = await Promise.all([getSelf(db, folder), lookInto(db, folder), countFiles(db, folder)])
  const totals = { folders: sight.countIn(folder.id, self.children), files }
  const offset = (page - 1) * per_page
  const onPage = Math.min(per_page, Math.max(0, totals.folders - offset))
  const [subfolders, subfiles] = await Promise.all([
    listSubfolders(db, folder, sight, { offset, limit: onPage }),
    listFiles(db, folder, { offset: Math.max(0, offset - totals.folders), limit: per_page - onPage }),
  ])
  return { self, subfolders, subfiles, totals }
}

export async function getMeta(db: Db, folder: VisibleFolder) {
  const { workspace } = folder
  const [{ path, numbered_path: _path, ...self }, sight] = await together(db, (one) =>
    Promise.all([getSelf(one, folder), lookInto(one, folder)]),
  )
  return toMeta(workspace, { ...self, children: sight.countIn(folder.id, self.children) }, parentOf(path))
}

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/')) || '/'

type Self = FolderRow & { path: string; numbered_path: string }

/** `children` counts all subfolders, hidden ones too. `path` is that of the folder itself. */
async function getSelf(db: Db, { workspace, id, id_path, path_node, in_draft }: VisibleFolder): Promise<Self> {
  const { rows } = await sql<Omit<Self, 'path_node'>>`
    select ${folderColumns(allSubfolders)}, n.outline, ${pathTo(workspace, id_path)} as path,
      ${numberedPath(workspace.id, sql`f.id_path`, sql`n.outline`)} as numbered_path
    from folders f cross join ${outlinesAmong(workspace, { ids: [id], onPaths: id_path })} n
    where f.workspace_id = ${workspace.id} and f.id = ${id}`.execute(db)
  if (!rows[0]) throw new Error(`folder ${id} left while it was read`)
  return { ...rows[0], path_node, draft: in_draft }
}

async function countFiles(db: Db, { workspace, id, rights }: VisibleFolder): Promise<number> {
  if (!rights.view) return 0
  const { rows } = await sql<{ files: number }>`
    select count(*) as files from files
    where workspace_id = ${workspace.id} and folder_id = ${id} and deleted_at is null`.execute(db)
  return rows[0]?.files ?? 0
}

type Subfolder = Omit<FolderRow, 'outline'> & { place: number }

/** Without a limit, all. */
interface Part {
  offset: number
  limit: number | null
}

async function listSubfolders(
  db: Db,
  { workspace, in_draft }: VisibleFolder,
  sight: Sight,
  { offset, limit }: Part,
): Promise<Subfolder[]> {
  if (limit !== null && limit <= 0) return []
  const isCounted = isRenumbered(workspace)
  const { rows } = await sql<Omit<FolderRow, 'path_node' | 'outline'>>`
    select ${folderColumns(allSubfolders)} from folders f where ${sight.isShown}
    order by f.index offset ${offset} limit ${limit}::int`.execute(db)
  let at = offset
  return mapInTurns(rows, (row) => {
    at++
    const place = isCounted ? at : row.index
    return {
      ...row,
      draft: in_draft || row.draft,
      place,
      children: sight.countBelow(row, row.children),
      path_node: !sight.mayView(row),
    }
  })
}

async function listFiles(db: Db, folder: VisibleFolder, { offset, limit }: Part): Promise<JsonList> {
  const { workspace, id, id_path, rights } = folder
  if ((limit !== null && limit <= 0) || !rights.view) return new JsonList([])
  return readJsonList(
    db,
    sql`(
      select ${listedFileJson} as element, f.index as position from files f
      cross join ${outlinesAmong(workspace, { ids: [id], onPaths: id_path })} n
      where f.workspace_id = ${workspace.id} and f.folder_id = ${id} and f.deleted_at is null
      order by f.index offset ${offset} limit ${limit}::int)`,
  )
}
