import { sql } from 'kysely'
import type { Delivery } from '../../contract/endpoints/permissions.ts'
import type { PdfDelivery } from '../../contract/endpoints/watermarks.ts'
import type { Db } from '../db/pool.ts'
import { refusal, unprocessable } from '../base/errors.ts'
import { openFileForDownload } from './enter/file.ts'
import { type Protections, protectionsIn } from './grants.ts'
import type { DownloadableFile, MarkedFile, PlainFile, ReadableFile, ReadableFolder, Workspace } from './scopes.ts'

export type OpenedFile = { as: 'plain'; file: PlainFile } | { as: 'marked'; file: MarkedFile }

/**
 * Opens a file that the caller may have on its own, as it is or with their mark.
 * @throws ApiError 403 without the download right or if DRM protects the file, 422 for an infected file, 409 before its
 * scan
 */
export async function openForDownload(db: Db, workspace: Workspace, fileId: number): Promise<OpenedFile> {
  const file = await openFileForDownload(db, workspace, fileId)
  refuseUnsafe(file)
  const { drm, watermark, pdf_delivery } = await findProtections(db, file.folder)
  if (drm) throw refusal('sealed_only')
  return watermark ? { as: 'marked', file: marked(file, pdf_delivery) } : { as: 'plain', file: file as PlainFile }
}

/** @throws ApiError as `openForDownload`, and 403 if a watermark protects the file */
export async function openForPlainDownload(db: Db, workspace: Workspace, fileId: number): Promise<PlainFile> {
  const opened = await openForDownload(db, workspace, fileId)
  if (opened.as !== 'plain') throw refusal('watermark_only')
  return opened.file
}

/** A caller who may have the original may also have a marked copy. @throws ApiError as `openForDownload` */
export async function openForMarkedDownload(db: Db, workspace: Workspace, fileId: number): Promise<MarkedFile> {
  const { as, file } = await openForDownload(db, workspace, fileId)
  return as === 'marked' ? file : marked(file, 'woven')
}

/** What a download of the file would be: nothing, the original, one with the caller's mark, or a sealed copy. */
export async function findDelivery(db: Db, { folder }: ReadableFile): Promise<Delivery> {
  if (!folder.rights.download) return 'none'
  const { drm, watermark } = await findProtections(db, folder)
  if (drm) return 'sealed'
  return watermark ? 'marked' : 'original'
}

/** Admins are exempt. */
const NONE: Protections = { drm: false, watermark: false, pdf_delivery: 'woven' }

const marked = (file: DownloadableFile, pdf_delivery: PdfDelivery) => ({ ...file, pdf_delivery }) as MarkedFile

async function findProtections(db: Db, { workspace, id_path }: ReadableFolder): Promise<Protections> {
  if (workspace.admin) return NONE
  const { rows } =
    await sql<Protections>`select drm, watermark, pdf_delivery from ${protectionsIn(workspace, sql`${id_path}::int[]`)} p`.execute(
      db,
    )
  if (!rows[0]) throw new Error('an aggregate gave no row')
  return rows[0]
}

function refuseUnsafe({ infected, held, folder: { workspace } }: DownloadableFile): void {
  if (infected) throw unprocessable('file_id', 'clean_file_to_download')
  if (held && !workspace.admin) throw refusal('not_scanned')
}
