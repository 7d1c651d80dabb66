import { sql } from 'kysely'
import type { PdfDelivery } from '../../contract/watermarks.ts'
import type { Db } from '../db/pool.ts'
import { conflict, forbidden, NOT_SCANNED, unprocessable } from '../errors.ts'
import { openFileForDownload } from './enter.ts'
import { type Protections, protectionsIn } from './grants.ts'
import type { DownloadableFile, MarkedFile, PlainFile, ReadableFile, ReadableFolder, Workspace } from './scopes.ts'

export type OpenedFile = { as: 'plain'; file: PlainFile } | { as: 'marked'; file: MarkedFile }

/**
 * A file that the caller may have on its own, as it is or with their mark on it.
 * @throws ApiError 403 without download or where DRM protects the file, 422 for an infected file, 409 before it was scanned
 */
export async function openForDownload(db: Db, workspace: Workspace, fileId: number): Promise<OpenedFile> {
  const file = await openFileForDownload(db, workspace, fileId)
  const { drm, watermark, pdf_delivery } = await findProtections(db, file.folder)
  if (drm) throw forbidden('This file is delivered sealed only: ask for it with POST /downloads.')
  await refuseUnsafe(db, file)
  return watermark ? { as: 'marked', file: marked(file, pdf_delivery) } : { as: 'plain', file: file as PlainFile }
}

/** @throws ApiError as `openForDownload`, and 403 where a watermark protects the file */
export async function openForPlainDownload(db: Db, workspace: Workspace, fileId: number): Promise<PlainFile> {
  const opened = await openForDownload(db, workspace, fileId)
  if (opened.as !== 'plain') throw forbidden('This file is delivered with a watermark only.')
  return opened.file
}

/** A caller who may have the original may have a marked copy too. @throws ApiError as `openForDownload` */
export async function openForMarkedDownload(db: Db, workspace: Workspace, fileId: number): Promise<MarkedFile> {
  const { as, file } = await openForDownload(db, workspace, fileId)
  return as === 'marked' ? file : marked(file, 'woven')
}

const marked = (file: DownloadableFile, pdf_delivery: PdfDelivery) => ({ ...file, pdf_delivery }) as MarkedFile

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
