import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { forbidden, unprocessable } from '../errors.ts'
import { openFileForDownload } from './enter.ts'
import { type Protections, protectionsIn } from './grants.ts'
import type { DownloadableFile, ReadableFolder, Workspace } from './scopes.ts'

/**
 * A file whose bytes the caller may have as they are: neither DRM nor a watermark stands in between.
 * @throws ApiError 403 where one does, 422 for an infected file
 */
export async function openForPlainDownload(db: Db, workspace: Workspace, fileId: number): Promise<DownloadableFile> {
  const file = await openFileForDownload(db, workspace, fileId)
  const { drm, watermark } = await findProtections(db, file.folder)
  if (drm) throw forbidden('This file is delivered sealed only: ask for it with POST /downloads.')
  if (watermark) throw forbidden('This file is delivered watermarked only, which cannot be done yet.')
  if (await isInfected(db, file)) throw unprocessable('file_id', 'names an infected file, which cannot be downloaded')
  return file
}

async function findProtections(db: Db, { workspace, id_path }: ReadableFolder): Promise<Protections> {
  const { rows } = await sql<Protections>`select * from ${protectionsIn(workspace, sql`${id_path}::int[]`)} p`.execute(
    db,
  )
  if (!rows[0]) throw new Error('an aggregate gave no row')
  return rows[0]
}

async function isInfected(db: Db, file: DownloadableFile): Promise<boolean> {
  const row = await db
    .selectFrom('files')
    .select('infected')
    .where('workspace_id', '=', file.folder.workspace.id)
    .where('id', '=', file.id)
    .executeTakeFirst()
  return row?.infected === true
}
