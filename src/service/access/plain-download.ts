import { sql } from 'kysely'
import type { PdfDelivery } from '../../contract/watermarks.ts'
import type { Db } from '../db/pool.ts'
import { conflict, forbidden, NOT_SCANNED, unprocessable } from '../errors.ts'
import { openFileForDownload } from './enter.ts'
import { type Protections, protectionsIn } from './grants.ts'
import type { DownloadableFile, ReadableFile, ReadableFolder, Workspace } from './scopes.ts'

/**
 * A file whose bytes the caller may have as they are: neither DRM nor a watermark stands in between.
 * @throws ApiError 403 where one does, 422 for an infected file
 */
export async function openForPlainDownload(db: Db, workspace: Workspace, fileId: number): Promise<DownloadableFile> {
  const { file, must_be_stamped } = await openForDownload(db, workspace, fileId)
  if (must_be_stamped) throw forbidden('This file is delivered with a watermark only.')
  return file
}

/**
 * A file that the caller may have on its own, as it is or with their mark on it.
 * @throws ApiError 403 where DRM stands in between, 422 for an infected file, 409 before it was scanned
 */
export async function openForDownload(
  db: Db,
  workspace: Workspace,
  fileId: number,
): Promise<{ file: DownloadableFile; must_be_stamped: boolean; pdf_delivery: PdfDelivery }> {
  const file = await openFileForDownload(db, workspace, fileId)
  const { drm, watermark, pdf_delivery } = await findProtections(db, file.folder)
  if (drm) throw forbidden('This file is delivered sealed only: ask for it with POST /downloads.')
  await refuseUnsafe(db, file)
  return { file, must_be_stamped: watermark, pdf_delivery }
}

/** Whether the pages may go on paper: for who may have the file itself, sealed copies apart. */
export async function isPrintable(db: Db, { folder }: ReadableFile): Promise<boolean> {
  if (folder.workspace.admin || !folder.rights.download) return folder.workspace.admin
  return !(await findProtections(db, folder)).drm
}

async function findProtections(db: Db, { workspace, id_path }: ReadableFolder): Promise<Protections> {
  const { rows } = await sql<Protections>`select * from ${protectionsIn(workspace, sql`${id_path}::int[]`)} p`.execute(
    db,
  )
  if (!rows[0]) throw new Error('an aggregate gave no row')
  return rows[0]
}

async function refuseUnsafe(db: Db, { id, folder: { workspace } }: DownloadableFile): Promise<void> {
  const row = await db
    .selectFrom('files')
    .select(['infected', 'held'])
    .where('workspace_id', '=', workspace.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row?.infected) throw unprocessable('file_id', 'names an infected file, which cannot be downloaded')
  if (row?.held && !workspace.admin) throw conflict(NOT_SCANNED)
}
