import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { notFound } from '../errors.ts'
import { readFile } from './enter.ts'
import { type Protections, protectionsIn } from './grants.ts'
import type { ReadableFile, ReadableFolder, UnmarkedPages, Workspace } from './scopes.ts'

/**
 * A file whose pages the caller may look at: of the version that is current, or of an earlier one for who manages files.
 * @throws ApiError 404
 */
export async function openForViewing(
  db: Db,
  workspace: Workspace,
  fileId: number,
  version?: number,
): Promise<ReadableFile> {
  const file = await readFile(db, workspace, fileId)
  await refuseEarlier(db, file, version)
  return file
}

/** Earlier versions are for who manages files. @throws ApiError 404 */
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

/** Undefined where pages must carry the caller's mark: a group with a watermark imposes it, and a group with DRM too. */
export async function openUnmarkedPages(
  db: Db,
  { workspace, id_path }: ReadableFolder,
): Promise<UnmarkedPages | undefined> {
  const { rows } = await sql<Protections>`
    select * from ${protectionsIn(workspace, sql`${id_path}::int[]`, 'view')} p`.execute(db)
  if (!rows[0]) throw new Error('an aggregate gave no row')
  return rows[0].drm || rows[0].watermark ? undefined : ({} as UnmarkedPages)
}
