import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import type { UploadableFolder, Workspace } from '../../access/scopes.ts'
import type { Fragment } from '../../access/sql.ts'
import type { Db } from '../../db/pool.ts'

/** Longer than a signature is valid, so that no first try can arrive later. */
const KEPT_MS = 24 * 3_600_000
const NAME_IN_USE = '23505'

/** An upload that its client named. */
export interface KeyedUpload {
  file_name: string
  sha256: Buffer
  idempotency_key: string
}

/** Two uploads are tries of one upload if all of this is the same. */
export function digestOf({ id, workspace }: UploadableFolder, { file_name, sha256, idempotency_key }: KeyedUpload) {
  const facts = [workspace.actor.id, id, file_name, sha256.toString('hex'), idempotency_key.toLowerCase()]
  return createHash('sha256').update(JSON.stringify(facts)).digest()
}

/** A part of a statement that keeps the key of an upload whose file is the row of the part `file`. */
export const keepKey = (file: Fragment, digest: Fragment): Fragment => sql`, keyed as (
      insert into upload_keys (workspace_id, digest, file_id) select workspace_id, ${digest}::bytea, id from ${file}
    )`

/** Keeps the key of an upload that left a file unchanged, so that a late try leaves it unchanged as well. */
export async function rememberKey(db: Db, { id: workspace_id }: Workspace, digest: Buffer, file_id: number) {
  await db
    .insertInto('upload_keys')
    .values({ workspace_id, digest, file_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether a statement failed, and so changed nothing, because another try of the upload was stored before. */
export const isStoredAlready = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === NAME_IN_USE && error.constraint === 'upload_keys_pkey'

/** The id of the file that the first stored try of an upload made or changed. */
export async function findStored(db: Db, { id }: Workspace, digest: Buffer): Promise<number | undefined> {
  const { rows } = await sql<{ file_id: number }>`
    select file_id from upload_keys where workspace_id = ${id} and digest = ${digest}`.execute(db)
  return rows[0]?.file_id
}

export async function sweepUploadKeys(db: Db, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_MS).toISOString()
  await db.deleteFrom('upload_keys').where('created_at', '<', oldest).execute()
}
