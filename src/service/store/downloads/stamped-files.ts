import type { MarkedFile } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'

export interface StampedFile {
  id: number
  version: number
  file_name: string
  file_content_type: string
  blob_id: string
  file_size: number
  sha256: Buffer
}

const columns = ['id', 'version', 'file_name', 'file_content_type', 'blob_id', 'file_size', 'sha256'] as const

/** Returns the caller's copy of that version with exactly that mark, and extends its life to `expires_at`. */
export async function reuseStampedFile(
  db: Db,
  { id, folder: { workspace } }: MarkedFile,
  { version, mark, expires_at }: { version: number; mark: string; expires_at: Date },
): Promise<StampedFile | undefined> {
  return db
    .updateTable('stamped_files')
    .set({ expires_at })
    .where('workspace_id', '=', workspace.id)
    .where('user_id', '=', workspace.actor.id)
    .where('file_id', '=', id)
    .where('version', '=', version)
    .where('mark', '=', mark)
    .where('expires_at', '>', workspace.actor.now.toISOString())
    .returning(columns)
    .executeTakeFirst()
}

/** Concurrent callers get the copy that was inserted first. The content of the others is swept. */
export async function insertStampedFile(
  db: Db,
  { id, folder: { workspace }, pdf_delivery }: MarkedFile,
  copy: Omit<StampedFile, 'id'> & { mark: string; expires_at: Date },
): Promise<StampedFile> {
  return db
    .insertInto('stamped_files')
    .values({ workspace_id: workspace.id, user_id: workspace.actor.id, file_id: id, pdf_delivery, ...copy })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'user_id', 'file_id', 'version', 'mark'])
        .doUpdateSet({ expires_at: copy.expires_at }),
    )
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Finds only the caller's own copy, and only if its delivery is at least as strict as now required. */
export async function findStampedFile(
  db: Db,
  { id, folder: { workspace }, pdf_delivery }: MarkedFile,
  stampedId: number,
): Promise<StampedFile | undefined> {
  return db
    .selectFrom('stamped_files')
    .select(columns)
    .where('workspace_id', '=', workspace.id)
    .where('user_id', '=', workspace.actor.id)
    .where('file_id', '=', id)
    .where('id', '=', stampedId)
    .where('pdf_delivery', '>=', pdf_delivery)
    .where('expires_at', '>', workspace.actor.now.toISOString())
    .executeTakeFirst()
}

/** Deletes copies whose URLs have expired. The sweep of blobs removes their content. */
export async function sweepStampedFiles(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('stamped_files').where('expires_at', '<=', now.toISOString()).execute()
}
