import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { forbidden, unprocessable } from '../errors.ts'
import { openFileForDownload } from './enter.ts'
import type { DownloadableFile, ReadableFolder, Workspace } from './scopes.ts'

interface Protections {
  drm: boolean
  watermark: boolean
}

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

/** Any group that grants download there imposes what it has switched on; admins are exempt (decisions, sections 4 and 5). */
async function findProtections(db: Db, { workspace, id_path }: ReadableFolder): Promise<Protections> {
  if (workspace.admin) return { drm: false, watermark: false }
  const { rows } = await sql<Protections>`
    select coalesce(bool_or(g.drm_enabled), false) as drm, coalesce(bool_or(g.watermarked), false) as watermark
    from groups g
    where g.workspace_id = ${workspace.id} and g.id = any(${workspace.group_ids}::int[]) and (
      select p.value from folder_permissions p
      where p.workspace_id = g.workspace_id and p.group_id = g.id and p.flag = 'download'
        and p.folder_id = any(${id_path}::int[])
      order by cardinality(p.id_path) desc limit 1)`.execute(db)
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
