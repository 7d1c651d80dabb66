import type { MarkedFile } from '../access/scopes.ts'
import type { Db } from '../db/pool.ts'

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

/** The caller's copy of that version with that very mark; it lives on until `expires_at`. */
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

/** Whoever asks at the same time gets the one that was there first; the other's content is swept. */
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

/** The caller's own alone, unless it was made in a weaker way than is asked for now. */
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

/** Forgets copies whose URLs have ended; the sweep of blobs takes their content. */
export async function sweepStampedFiles(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('stamped_files').where('expires_at', '<=', now.toISOString()).execute()
}
