import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { notFound } from '../base/errors.ts'
import { enterFile } from './enter/file.ts'
import { type Protections, protectionsIn } from './grants.ts'
import type { ReadableFile, ReadableFolder, UnmarkedPages, Workspace } from './scopes.ts'

/**
 * Opens a file whose pages the caller may view: in its current version, or in an earlier one for a caller who manages
 * files.
 * @throws ApiError 404
 */
export async function openForViewing(
  db: Db,
  workspace: Workspace,
  fileId: number,
  version?: number,
): Promise<ReadableFile> {
  const file = await enterFile(db, workspace, fileId)
  await refuseEarlier(db, file, version)
  return file
}

/** Only callers who manage files see earlier versions. @throws ApiError 404 */
export async function refuseEarlier(db: Db, { id, folder }: ReadableFile, version: number | undefined): Promise<void> {
  if (version === undefined || folder.manages_files) return
  const current = await db
    .selectFrom('files')
    .select('version')
    .where('workspace_id', '=', folder.workspace.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (current?.version !== version) throw notFound()
}

/** Returns undefined if pages must carry the caller's mark, which a group with a watermark or with DRM imposes. */
export async function openUnmarkedPages(
  db: Db,
  { workspace, id_path }: ReadableFolder,
): Promise<UnmarkedPages | undefined> {
  const { rows } = await sql<Protections>`
    select drm, watermark, pdf_delivery from ${protectionsIn(workspace, sql`${id_path}::int[]`, 'view')} p`.execute(db)
  if (!rows[0]) throw new Error('an aggregate gave no row')
  return rows[0].drm || rows[0].watermark ? undefined : ({} as UnmarkedPages)
}
