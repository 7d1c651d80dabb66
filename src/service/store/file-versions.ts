import { sql } from 'kysely'
import type { DownloadableFile } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'

export interface FileVersion {
  title: string
  blob_id: string
  file_size: number
  file_content_type: string
  sha256: Buffer
}

/** The content of one version, under the present title. */
export async function findVersion(db: Db, file: DownloadableFile, version: number): Promise<FileVersion | undefined> {
  return db
    .selectFrom('file_versions as v')
    .innerJoin('files as f', (join) =>
      join.onRef('f.workspace_id', '=', 'v.workspace_id').onRef('f.id', '=', 'v.file_id'),
    )
    .select(['f.title', 'v.blob_id', 'v.file_size', 'v.file_content_type', 'v.sha256'])
    .where('v.workspace_id', '=', file.folder.workspace.id)
    .where('v.file_id', '=', file.id)
    .where('v.version', '=', version)
    .executeTakeFirst()
}

/** Of the given blobs those that no version of any file and no download names. */
export async function listUnreferenced(db: Db, blobIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ blob_id: string }>`
    select b.blob_id from unnest(${blobIds}::text[]) b (blob_id)
    where not exists (select from file_versions v where v.blob_id = b.blob_id)
      and not exists (select from download_members m where m.blob_id = b.blob_id)`.execute(db)
  return rows.map((row) => row.blob_id)
}
