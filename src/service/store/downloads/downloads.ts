import { sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Api } from '../../../contract/index.ts'
import type { Download, Selection, Workspace } from '../../access/scopes.ts'
import type { Db } from '../../db/pool.ts'
import { foundAct, recordZip } from '../audit/activities.ts'
import { spendOnDownloading } from '../people/mail-budgets.ts'
import { insertMembers } from './download-members.ts'

/** Lifetime of a download (decisions, section 7). */
const LIFE_DAYS = 7
/** An expired download stays in its user's list this long. */
const LISTED_DAYS = 30

type DownloadRow = Reply<Api['downloads']['listStatus']>['downloads'][number]

/** The caller's own downloads, newest first. */
export async function listDownloads(db: Db, { id, actor }: Workspace): Promise<DownloadRow[]> {
  const { rows } = await sql<DownloadRow>`
    select id, user_id, file_ids, folder_ids, created_at, size::text, left_out, workspace_id, expires_at, updated_at,
      case when expires_at <= ${actor.now} then 'expired' else status end as status
    from downloads where workspace_id = ${id} and user_id = ${actor.id} order by id desc`.execute(db)
  return rows
}

/** Freezes the present content of the selection and records every folder and file in it. */
export async function insertDownload(db: Db, selection: Selection): Promise<DownloadRow> {
  const { workspace, folder_ids, file_ids } = selection
  const { actor } = workspace
  const { rows } = await sql<DownloadRow>`
    insert into downloads (workspace_id, user_id, folder_ids, file_ids, ip, expires_at)
    values (${workspace.id}, ${actor.id}, ${folder_ids}, ${file_ids}, ${actor.ip},
      ${actor.now}::timestamptz + make_interval(days => ${LIFE_DAYS}))
    returning id, user_id, file_ids, folder_ids, status, created_at, size::text, left_out, workspace_id, expires_at, updated_at`.execute(
    db,
  )
  if (!rows[0]) throw new Error('an insert gave no row')
  const members = await insertMembers(db, selection, rows[0].id)
  // Sent together: a refusal takes everything back.
  await Promise.all([spendOnDownloading(db, actor, members), recordMembers(db, selection, rows[0].id)])
  return rows[0]
}

/** Records an act per selected folder and contained file (decisions, section 7), in one statement for possibly many. */
async function recordMembers(db: Db, { workspace, folder_ids }: Selection, downloadId: number): Promise<void> {
  const acts = sql`
    select ${foundAct('folder_downloaded', sql`d.name`)}, d.id as subject_id, 0 as position
    from folders d where d.workspace_id = ${workspace.id} and d.id = any(${folder_ids}::int[])
    union all
    select ${foundAct('file_downloaded', sql`f.title`)}, m.file_id, m.position
    from download_members m
    cross join lateral (select title from files f where f.workspace_id = m.workspace_id and f.id = m.file_id offset 0) f
    where m.workspace_id = ${workspace.id} and m.download_id = ${downloadId} and m.left_out is null`
  await recordZip(db, workspace, acts)
}

export async function deleteDownload(db: Db, { id, workspace }: Download): Promise<void> {
  await db.deleteFrom('downloads').where('workspace_id', '=', workspace.id).where('id', '=', id).execute()
}

/** A download as the worker identifies it: by its key, without a caller. */
export interface DownloadKey {
  workspace_id: number
  download_id: number
}

/** The user, address and time of the request for a download; undefined if the download is gone. */
export async function findDownloadReader(db: Db, { workspace_id, download_id }: DownloadKey) {
  const row = await db
    .selectFrom('downloads')
    .select(['user_id', 'ip', 'created_at'])
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', download_id)
    .executeTakeFirst()
  return row && { user_id: row.user_id, ip: row.ip, at: new Date(row.created_at) }
}

/** @returns whether the download still exists unfinished */
export async function setDownloadStatus(
  db: Db,
  { workspace_id, download_id }: DownloadKey,
  status: Download['status'],
  zip: { size?: number; etag?: string; left_out?: number } = {},
): Promise<boolean> {
  const updated = await db
    .updateTable('downloads')
    .set({ status, ...zip, updated_at: sql`now()` })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', download_id)
    .where('status', 'not in', ['done', 'expired'])
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

/** Fails a finished download that cannot be delivered after all. */
export async function failDownload(db: Db, { workspace_id, download_id }: DownloadKey): Promise<void> {
  await db
    .updateTable('downloads')
    .set({ status: 'failed', updated_at: sql`now()` })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', download_id)
    .where('status', '=', 'done')
    .execute()
}

/**
 * Expires downloads, deletes those that expired long ago, and fails unfinished ones that have no job any more.
 * @returns the number of expired downloads
 */
export async function sweepDownloads(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{ expired: number }>`
    with expired as (
      update downloads set status = 'expired', updated_at = now() where expires_at <= ${now} and status <> 'expired'
      returning workspace_id, id
    ), emptied as (
      delete from download_members m using expired e where m.workspace_id = e.workspace_id and m.download_id = e.id
    )
    select count(*) as expired from expired`.execute(db)
  await sql`delete from downloads where expires_at <= ${now}::timestamptz - make_interval(days => ${LISTED_DAYS})`.execute(
    db,
  )
  await sql`
    update downloads d set status = 'failed', updated_at = now()
    where d.status in ('building_directory', 'processing') and not exists (
      select from jobs j where j.kind = 'zip' and j.parked_at is null
        and j.workspace_id = d.workspace_id and (j.payload ->> 'download_id')::int = d.id)`.execute(db)
  return rows[0]?.expired ?? 0
}
