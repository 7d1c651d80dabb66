import { sql } from 'kysely'
import { asOneSet } from '../../db/one-set.ts'
import type { Db } from '../../db/pool.ts'
import { notFound, refusal, unprocessable } from '../../base/errors.ts'
import { rightsAmong } from '../grants.ts'
import type { Download, Selection, Workspace } from '../scopes.ts'
import { leadingAmong } from '../sql.ts'

/**
 * Opens folders and files to download together. Checks every one of them before it returns.
 * @throws ApiError 404 if one is absent or not visible, 403 if one lacks download, 422 for an infected file or an empty
 * selection, 409 for a file that waits for the scanner
 */
export async function openSelection(
  db: Db,
  workspace: Workspace,
  wanted: { folder_ids: readonly number[]; file_ids: readonly number[] },
): Promise<Selection> {
  const folder_ids = [...new Set(wanted.folder_ids)]
  const file_ids = [...new Set(wanted.file_ids)]
  if (folder_ids.length + file_ids.length === 0) throw unprocessable('download', 'folders_or_files')
  const files = await db
    .selectFrom('files')
    .select(['folder_id', 'infected', 'held'])
    .where('workspace_id', '=', workspace.id)
    .where('id', '=', sql<number>`any(${file_ids}::int[])`)
    .where('deleted_at', 'is', null)
    .execute()
  const folders = await db
    .selectFrom('folders')
    .select(['id', 'id_path', 'deleted_at'])
    .where('workspace_id', '=', workspace.id)
    .where('id', '=', sql<number>`any(${[...new Set([...folder_ids, ...files.map((file) => file.folder_id)])]}::int[])`)
    .execute()
  const present = new Set(folders.flatMap(({ id, deleted_at }) => (deleted_at === null ? [id] : [])))
  if (files.length < file_ids.length || folder_ids.some((id) => !present.has(id))) throw notFound()
  const paths = new Map(folders.map(({ id, id_path }) => [id, id_path]))
  await requireDownload(db, workspace, { folder_ids, of_files: files.map((file) => file.folder_id), paths })
  if (files.some((file) => file.infected)) throw unprocessable('download.file_ids', 'clean_files')
  if (!workspace.admin && files.some((file) => file.held)) throw refusal('not_scanned')
  return { workspace, folder_ids, file_ids, paths } as unknown as Selection
}

interface SelectedFolders {
  folder_ids: readonly number[]
  /** Folders of selected files. */
  of_files: readonly number[]
  paths: Selection['paths']
}

/** @throws ApiError 404 if one of the folders is not visible, 403 if one lacks download */
async function requireDownload(db: Db, workspace: Workspace, { folder_ids, of_files, paths }: SelectedFolders) {
  if (workspace.admin) return
  const onPaths = [...new Set([...paths.values()].flat())]
  const judging = sql<{ id: number; view: boolean; download: boolean }>`
    with step as materialized (
      select f.id, s.on_path, s.depth from folders f cross join unnest(f.id_path) with ordinality s (on_path, depth)
      where f.workspace_id = ${workspace.id} and f.id = any(${[...paths.keys()]}::int[])
    )
    select id, view, download from ${rightsAmong(workspace, { steps: sql`step`, onPaths })} r`
  const { rows } = await asOneSet(db, paths.size, () => judging.execute(db))
  const viewable = new Set(rows.flatMap(({ id, view }) => (view ? [id] : [])))
  const hidden = folder_ids.filter((id) => id !== 0 && !viewable.has(id))
  if (of_files.some((id) => !viewable.has(id)) || !(await allLeadToVisible(db, workspace, hidden))) throw notFound()
  if (rows.some(({ download }) => !download)) throw refusal('no_download_of_some')
}

/** Whether the caller may view something below each of these folders, which they cannot view. */
async function allLeadToVisible(db: Db, workspace: Workspace, folderIds: readonly number[]): Promise<boolean> {
  if (folderIds.length === 0) return true
  const { rows } = await sql<{ leading: number }>`
    select count(*) as leading from ${leadingAmong(workspace.id, workspace.group_ids, folderIds)} l`.execute(db)
  return rows[0]?.leading === folderIds.length
}

/** @throws ApiError 404 unless the download is the caller's own, whatever the caller's role */
export async function enterDownload(db: Db, workspace: Workspace, downloadId: number): Promise<Download> {
  const { rows } = await sql<Omit<Download, 'workspace'>>`
    select id, coalesce(size, 0) as size, coalesce(etag, '') as etag,
      case when expires_at <= ${workspace.actor.now} then 'expired' else status end as status
    from downloads where workspace_id = ${workspace.id} and id = ${downloadId} and user_id = ${workspace.actor.id}`.execute(
    db,
  )
  if (!rows[0]) throw notFound()
  return { ...rows[0], workspace } as Download
}
