import { sql } from 'kysely'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import { refusal, unprocessable } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { foundAct, recordFound } from '../audit/activities.ts'
import type { MadeFolder } from './blueprint.ts'

const MAX_FILES = 5_000

/**
 * Copies the current versions of the files of another workspace into the folders that were made after its own, with what
 * was read of them. Content is shared, as between copies in one workspace. Files that come or go meanwhile may be left out.
 * @returns their number. @throws ApiError 409 for too many files or unread ones, 422 for an infected one
 */
export async function takeFiles(
  db: Db,
  workspace: AdministeredWorkspace,
  model: AdministeredWorkspace,
  made: readonly MadeFolder[],
): Promise<number> {
  const places = sql`jsonb_to_recordset(${JSON.stringify([...made, { id: 0, model_id: 0 }])}::jsonb) p (id int, model_id int)`
  await refuseUntakeable(db, model, places)
  const { rows } = await sql<{ files: number }>`
    with source as materialized (
      select f.*, v.crc32, p.id as new_folder_id, nextval(pg_get_serial_sequence('files', 'id'))::int as new_id
      from ${places}
      join files f on f.workspace_id = ${model.id} and f.folder_id = p.model_id and f.deleted_at is null
      join file_versions v on v.workspace_id = f.workspace_id and v.file_id = f.id and v.version = f.version
    ), document as materialized (
      select d.* from documents d where d.workspace_id = ${model.id} and d.blob_id in (select blob_id from source)
        and d.status not in ('Pending', 'Processing') and not d.held and d.infected is distinct from true
      order by d.blob_id for share
    ), documented as (
      insert into documents (workspace_id, blob_id, content_type, status, reason, page_widths, page_heights,
        converted_blob_id, converted_type, infected, scanned_at, damage, damaged_at, damage_told_at)
      select ${workspace.id}::int, blob_id, content_type, status, reason, page_widths, page_heights, converted_blob_id,
        converted_type, infected, scanned_at, damage, damaged_at, damage_told_at from document
    ), texts as (
      insert into document_texts (workspace_id, blob_id, part, text, words)
      select ${workspace.id}::int, t.blob_id, t.part, t.text, t.words
      from document d join document_texts t on t.workspace_id = ${model.id} and t.blob_id = d.blob_id
    ), terms as (
      insert into document_terms (workspace_id, blob_id, terms)
      select ${workspace.id}::int, t.blob_id, t.terms
      from document d join document_terms t on t.workspace_id = ${model.id} and t.blob_id = d.blob_id
    ), taken as materialized (
      select s.*, d.status, cardinality(d.page_widths) as page_count, d.infected as is_infected, d.damage is not null as is_damaged
      from source s join document d on d.blob_id = s.blob_id
    ), filed as (
      insert into files (workspace_id, id, folder_id, title, file_name, index, file_size, file_content_type, sha256,
        blob_id, pages, infected, viewer_status, damaged)
      select ${workspace.id}::int, new_id, new_folder_id, title, file_name, index, file_size, file_content_type, sha256,
        blob_id, page_count, is_infected, status, is_damaged from taken
    ), versioned as (
      insert into file_versions (workspace_id, file_id, version, blob_id, file_size, file_content_type, sha256, crc32,
        uploaded_by_id)
      select ${workspace.id}::int, new_id, 1, blob_id, file_size, file_content_type, sha256, crc32,
        ${workspace.actor.id}::int from taken
    )
    select count(*)::int as files from taken`.execute(db)
  await recordFound(
    db,
    workspace,
    sql`
      select ${foundAct('file_copied_along', sql`f.title`)}, f.id as subject_id,
        row_number() over (order by d.id_path, f.index) as position
      from files f join folders d on d.workspace_id = f.workspace_id and d.id = f.folder_id
      where f.workspace_id = ${workspace.id}`,
  )
  return rows[0]?.files ?? 0
}

async function refuseUntakeable(db: Db, model: AdministeredWorkspace, places: ReturnType<typeof sql>): Promise<void> {
  const { rows } = await sql<{ files: number; unread: boolean; infected: string | null }>`
    select count(*)::int as files, coalesce(bool_or(f.held or f.viewer_status in ('Pending', 'Processing')), false) as unread,
      min(f.title) filter (where f.infected) as infected
    from ${places} join files f on f.workspace_id = ${model.id} and f.folder_id = p.model_id and f.deleted_at is null`.execute(
    db,
  )
  const { files = 0, unread = false, infected = null } = rows[0] ?? {}
  if (files > MAX_FILES) throw refusal('too_many_files_to_take', { limit: MAX_FILES })
  if (infected !== null) throw unprocessable('workspace.source', 'clean_workspace', { title: infected })
  if (unread) throw refusal('files_being_read')
}
