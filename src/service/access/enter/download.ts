import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { conflict, forbidden, NOT_SCANNED, notFound, unprocessable } from '../../errors.ts'
import { rightsIn, visible } from '../grants.ts'
import type { Download, Selection, Workspace } from '../scopes.ts'

interface Selected {
  visible: boolean
  download: boolean
  infected: boolean
  held: boolean
}

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
  const total = folder_ids.length + file_ids.length
  if (total === 0) throw unprocessable('download', 'must name folders or files')
  const idPath = sql`d.id_path`
  const rights = rightsIn(workspace, idPath)
  const { rows } = await sql<Selected>`
    select d.id = 0 or ${visible(workspace, idPath)} as visible, r.download, false as infected, false as held
    from folders d cross join lateral ${rights} r
    where d.workspace_id = ${workspace.id} and d.id = any(${folder_ids}::int[]) and d.deleted_at is null
    union all
    select r.view, r.download, f.infected is true, f.held
    from files f join folders d on d.workspace_id = f.workspace_id and d.id = f.folder_id cross join lateral ${rights} r
    where f.workspace_id = ${workspace.id} and f.id = any(${file_ids}::int[]) and f.deleted_at is null`.execute(db)
  if (rows.length < total || rows.some((row) => !row.visible)) throw notFound()
  if (rows.some((row) => !row.download)) throw forbidden('You may view some of this but not download it.')
  if (rows.some((row) => row.infected)) throw unprocessable('download.file_ids', 'names an infected file')
  if (!workspace.admin && rows.some((row) => row.held)) throw conflict(NOT_SCANNED)
  return { workspace, folder_ids, file_ids } as unknown as Selection
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
