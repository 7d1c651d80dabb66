import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { showInFiles } from './documents.ts'
import { kindOf } from '../files/file-types.ts'
import { numberedPathForAdmins } from '../folders/outlines.ts'

export type QueuedDocument = Omit<Reply<Api['documents']['list']>[number], 'reason_code' | 'reason_params'>

/** A document that is Unsupported for a reason, such as a missing converter, may become viewable later. */
const CONDITIONS = {
  failed: sql`d.status = 'Failed'`,
  unsupported: sql`(d.status = 'Unsupported' and d.reason is not null)`,
  waiting: sql`d.status in ('Pending', 'Processing')`,
  all: sql`(d.status in ('Pending', 'Processing', 'Failed') or d.reason is not null)`,
}
/** Documents with a problem come first. */
const isWrong = sql`(d.reason is not null)`

/** Lists files whose current version cannot be shown, or not yet, and the number of all. */
export async function listQueue(
  db: Db,
  workspace: AdministeredWorkspace,
  { status, page, per_page }: { status: keyof typeof CONDITIONS; page: number; per_page: number },
): Promise<{ documents: QueuedDocument[]; total: number }> {
  const matching = sql`documents d
    join file_versions v on v.workspace_id = d.workspace_id and v.blob_id = d.blob_id
    join files f on f.workspace_id = v.workspace_id and f.id = v.file_id and f.version = v.version and f.deleted_at is null
    where d.workspace_id = ${workspace.id} and ${CONDITIONS[status]}`
  const { rows: counted } = await sql<{ total: number }>`select count(*) as total from ${matching}`.execute(db)
  const { rows } = await sql<QueuedDocument>`
    with page as (
      select f.id as file_id, f.title, f.folder_id, f.version, f.file_content_type, f.file_size::text, f.blob_id,
        d.status, d.infected, d.reason, d.updated_at, ${isWrong} as wrong
      from ${matching}
      order by ${isWrong} desc, d.updated_at desc, f.id offset ${(page - 1) * per_page} limit ${per_page}
    )
    select p.file_id, p.title, p.folder_id, a.path as folder_path,
      ${numberedPathForAdmins(workspace.id, sql`place.id_path`)} as numbered_folder_path, p.version, p.file_content_type, p.file_size, p.status,
      ${kindOf(sql`p.file_content_type`)} as kind, p.infected, coalesce(p.reason, '') as reason, coalesce(j.attempts, 0) as attempts,
      case when j.parked_at is null then j.run_at end as next_attempt_at, p.updated_at
    from page p
    left join jobs j on j.kind = 'ingest' and j.payload ->> 'blob_id' = p.blob_id
    join folders place on place.workspace_id = ${workspace.id} and place.id = p.folder_id
    cross join lateral (
      select '/' || coalesce(string_agg(o.name, '/' order by cardinality(o.id_path)), '') as path from folders o
      where o.workspace_id = ${workspace.id} and o.id = any(place.id_path) and o.id <> 0
    ) a
    order by p.wrong desc, p.updated_at desc, p.file_id`.execute(db)
  return { documents: rows, total: counted[0]?.total ?? 0 }
}

/** Processes documents again from the start: those of the given files, or all that failed. @returns their number */
export async function retryDocuments(
  db: Db,
  workspace: AdministeredWorkspace,
  fileIds: readonly number[] | undefined,
): Promise<number> {
  const chosen = fileIds
    ? sql`d.status not in ('Pending', 'Processing') and d.blob_id in (
        select f.blob_id from files f
        where f.workspace_id = ${workspace.id} and f.id = any(${fileIds}::int[]) and f.deleted_at is null)`
    : isWrong
  const { rows } = await sql<{ blob_id: string }>`
    update documents d set status = 'Pending', reason = null, scanned_at = null,
      converted_blob_id = null, converted_type = null, updated_at = now()
    where d.workspace_id = ${workspace.id} and ${chosen} returning d.blob_id`.execute(db)
  const blobIds = rows.map((row) => row.blob_id)
  await showInFiles(db, workspace.id, blobIds)
  await enqueueAgain(db, workspace, blobIds)
  return blobIds.length
}

/**
 * Restarts a job that waits or was parked. A worker that holds the job may be past the point of change: raising the
 * number of attempts ends that worker's hold, and the job runs again when the lease expires.
 */
async function enqueueAgain(db: Db, workspace: AdministeredWorkspace, blobIds: readonly string[]): Promise<void> {
  const isHeld = sql`jobs.leased_until > now()`
  await sql`
    insert into jobs (kind, payload)
    select 'ingest', jsonb_build_object(
      'workspace_id', ${workspace.id}::int, 'blob_id', blob_id, 'user_id', ${workspace.actor.id}::int)
    from unnest(${blobIds}::text[]) b (blob_id)
    on conflict ((payload ->> 'blob_id')) where kind = 'ingest' do update
      set run_at = now(), parked_at = null, error = null, heavy = false,
        put_back = case when ${isHeld} then jobs.attempts + 1 else 0 end,
        attempts = case when ${isHeld} then jobs.attempts + 1 else 0 end,
        leased_until = case when ${isHeld} then jobs.leased_until end`.execute(db)
}
