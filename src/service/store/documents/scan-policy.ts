import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { transaction } from '../../db/transaction.ts'
import { holdTermsPdfs, tryUnscannableAgain } from '../terms/unscanned-pdfs.ts'

export interface ScanPolicy {
  isScanned: boolean
  /** Content that was not found clean is held. */
  isRequired: boolean
}

/**
 * Applies the scan settings of a worker to existing documents: a scanner gets unscanned documents, some per second, and
 * unscanned content is held if a scan is required.
 */
export async function applyScanPolicy(db: Db, { isScanned, isRequired }: ScanPolicy): Promise<void> {
  await transaction(db, async (tx) => {
    await (isRequired ? holdUnscanned(tx) : releaseHeld(tx))
    await showHeld(tx)
    if (!isScanned) return
    await enqueueUnscanned(tx)
    await tryUnscannableAgain(tx)
  })
}

async function holdUnscanned(db: Db): Promise<void> {
  await sql`
    update documents set held = true, status = case when status = 'Ready' then 'Pending' else status end
    where scanned_at is null and not held`.execute(db)
  await holdTermsPdfs(db)
}

async function releaseHeld(db: Db): Promise<void> {
  for (const table of ['documents', 'terms_pdfs'] as const)
    await db.updateTable(table).set({ held: false }).where('held', '=', true).execute()
}

async function showHeld(db: Db): Promise<void> {
  await sql`
    update files f set held = d.held, viewer_status = d.status
    from file_versions v, documents d
    where d.workspace_id = v.workspace_id and d.blob_id = v.blob_id
      and f.workspace_id = v.workspace_id and f.id = v.file_id and f.version = v.version and f.held <> d.held`.execute(
    db,
  )
}

async function enqueueUnscanned(db: Db): Promise<void> {
  await sql`
    insert into jobs (kind, payload, run_at)
    select 'ingest', jsonb_build_object('workspace_id', workspace_id, 'blob_id', blob_id),
      now() + row_number() over (order by created_at, blob_id) * interval '200 milliseconds'
    from documents where scanned_at is null
    on conflict ((payload ->> 'blob_id')) where kind = 'ingest' do nothing`.execute(db)
}
