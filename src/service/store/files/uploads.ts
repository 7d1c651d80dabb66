import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { enterOrganization } from '../../access/enter/organization.ts'
import type { ContinuedUpload, Upload, UploadableFolder, Workspace } from '../../access/scopes.ts'
import type { HashState } from '../../blobs/running-hash.ts'
import type { Db } from '../../db/pool.ts'
import { notFound, refusal } from '../../base/errors.ts'
import { lockUser } from '../people/users.ts'

/** Beyond this number, a new upload requires that another one is finished, aborted or expired. */
const MAX_UNFINISHED = 1000
const SWEEP_BATCH = 1000

export interface UploadRow extends HashState {
  id: number
  workspace_id: number
  folder_id: number
  file_name: string
  size: number
  sha256: Buffer | null
  part_id: string
  received: number
  file_id: number | null
  created_at: string
  expires_at: string
}

const columns = [
  'id',
  'workspace_id',
  'folder_id',
  'file_name',
  'size',
  'sha256',
  'part_id',
  'received',
  'sha256_state',
  'crc32',
  'file_id',
  'created_at',
  'expires_at',
] as const

export interface NewUpload {
  file_name: string
  size: number
  sha256: Buffer | null
  expires_at: Date
}

/** @throws ApiError 409 if the caller has too many unfinished uploads in the workspace */
export async function insertUpload(db: Db, folder: UploadableFolder, upload: NewUpload): Promise<UploadRow> {
  const { workspace } = folder
  const { actor } = workspace
  // The lock makes concurrent callers count one after the other.
  await lockUser(db, enterOrganization(actor), actor.id)
  if ((await countUnfinished(db, workspace)) >= MAX_UNFINISHED) {
    throw refusal('too_many_uploads', { limit: MAX_UNFINISHED })
  }
  const part_id = randomBytes(16).toString('hex')
  return db
    .insertInto('uploads')
    .values({
      workspace_id: workspace.id,
      user_id: actor.id,
      folder_id: folder.id,
      part_id,
      created_at: actor.now,
      ...upload,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

async function countUnfinished(db: Db, { id, actor }: Workspace): Promise<number> {
  const { count } = await db
    .selectFrom('uploads')
    .select(db.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', id)
    .where('user_id', '=', actor.id)
    .where('file_id', 'is', null)
    .where('expires_at', '>', actor.now.toISOString())
    .executeTakeFirstOrThrow()
  return count
}

/** @throws ApiError 404 */
export async function getUpload(db: Db, upload: Upload): Promise<UploadRow> {
  return (await ofUpload(db, upload).executeTakeFirst()) ?? gone()
}

/** Returns the upload and locks it until the end of the transaction. @throws ApiError 404 */
export async function lockUpload(db: Db, upload: Upload): Promise<UploadRow> {
  return (await ofUpload(db, upload).forUpdate().executeTakeFirst()) ?? gone()
}

function ofUpload(db: Db, { id, workspace }: Upload) {
  return db.selectFrom('uploads').select(columns).where('workspace_id', '=', workspace.id).where('id', '=', id)
}

function gone(): never {
  throw notFound()
}

/** Records that another chunk is on the disk. */
export async function advanceUpload(
  db: Db,
  { id, workspace }: ContinuedUpload,
  progress: HashState & { received: number; expires_at: Date },
): Promise<UploadRow> {
  return db
    .updateTable('uploads')
    .set(progress)
    .where('workspace_id', '=', workspace.id)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function noteFile(db: Db, { id, workspace }: ContinuedUpload, file_id: number): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ file_id, sha256_state: null })
    .where('workspace_id', '=', workspace.id)
    .where('id', '=', id)
    .execute()
}

export async function deleteUpload(db: Db, { id, workspace }: Upload): Promise<void> {
  await db.deleteFrom('uploads').where('workspace_id', '=', workspace.id).where('id', '=', id).execute()
}

/** Deletes expired uploads. @returns the number of deleted uploads */
export async function sweepUploads(db: Db, now: Date): Promise<number> {
  let total = 0
  for (;;) {
    const { rows } = await sql`
      delete from uploads where (workspace_id, id) in (
        select workspace_id, id from uploads where expires_at <= ${now}
        limit ${SWEEP_BATCH} for update skip locked) returning id`.execute(db)
    total += rows.length
    if (rows.length < SWEEP_BATCH) return total
  }
}

/** Returns those of the given parts that no upload references any more. */
export async function listOrphanedParts(db: Db, partIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ part_id: string }>`
    select p.part_id from unnest(${partIds}::text[]) p (part_id)
    where not exists (select from uploads u where u.part_id = p.part_id)`.execute(db)
  return rows.map((row) => row.part_id)
}
