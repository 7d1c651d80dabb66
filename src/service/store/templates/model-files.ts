import { type RawBuilder, sql } from 'kysely'
import type { AdministeredWorkspace } from '../../access/scopes.ts'
import { refusal, unprocessable } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { recordFilesIn } from '../folders/folder-copy.ts'
import type { MadeFolder } from './blueprint.ts'

const ROOT_ID = 0
const MAX_FILES = 5_000
/** A statement has a minute. What takes longest is the index of the words of long texts. */
const FILES_AT_ONCE = 250

/**
 * Copies the current versions of the files of another workspace into the folders that were made after its own, with what
 * was read of them. Content is shared, as between copies in one workspace. Requires the lock of the model's tree.
 * @returns their number. @throws ApiError 409 for too many files or unread ones, 422 for one that cannot be taken over
 */
export async function takeFiles(
  db: Db,
  workspace: AdministeredWorkspace,
  model: AdministeredWorkspace,
  made: readonly MadeFolder[],
): Promise<number> {
  const ids = await listTakeable(db, model, made)
  const places = placesOf(made)
  for (let from = 0; from < ids.length; from += FILES_AT_ONCE) {
    const some = ids.slice(from, from + FILES_AT_ONCE)
    if ((await take(db, workspace, model, { places, ids: some })) !== some.length) throw refusal('files_being_read')
  }
  await recordFilesIn(db, workspace, ROOT_ID)
  return ids.length
}

const placesOf = (made: readonly MadeFolder[]) =>
  sql`jsonb_to_recordset(${JSON.stringify([...made, { id: ROOT_ID, model_id: ROOT_ID }])}::jsonb) p (id int, model_id int)`

interface Found {
  ids: number[]
  infected: string | null
  unscanned: string | null
  damaged: string | null
  unread: boolean
}

/** A document without a job has been read to its end, with its text. */
async function listTakeable(
  db: Db,
  model: AdministeredWorkspace,
  made: readonly MadeFolder[],
): Promise<readonly number[]> {
  const { rows } = await sql<Found>`
    with file as (
      select f.* from ${placesOf(made)}
      join files f on f.workspace_id = ${model.id} and f.folder_id = p.model_id and f.deleted_at is null
      limit ${MAX_FILES + 1}
    )
    select coalesce(array_agg(f.id order by f.id), '{}') as ids, min(f.title) filter (where f.infected) as infected,
      min(f.title) filter (where f.held and f.viewer_status = 'Failed') as unscanned,
      min(f.title) filter (where f.damaged) as damaged,
      coalesce(bool_or(f.held or f.viewer_status in ('Pending', 'Processing') or exists (
        select from jobs j where j.kind = 'ingest' and j.parked_at is null and j.payload ->> 'blob_id' = f.blob_id
      )), false) as unread
    from file f`.execute(db)
  const { ids = [], infected, unscanned, damaged, unread } = rows[0] ?? {}
  if (ids.length > MAX_FILES) throw refusal('too_many_files_to_take', { limit: MAX_FILES })
  if (infected) throw unprocessable('workspace.source', 'clean_workspace', { title: infected })
  if (unscanned) throw unprocessable('workspace.source', 'scanned_workspace', { title: unscanned })
  if (damaged) throw unprocessable('workspace.source', 'undamaged_workspace', { title: damaged })
  if (unread) throw refusal('files_being_read')
  return ids
}

/** Files with the same content share a document, which an earlier call may have made. @returns the number of files */
async function take(
  db: Db,
  workspace: AdministeredWorkspace,
  model: AdministeredWorkspace,
  { places, ids }: { places: RawBuilder<unknown>; ids: readonly number[] },
): Promise<number> {
  const { rows } = await sql<{ files: number }>`
    with source as materialized (
      select f.*, v.crc32, p.id as new_folder_id, nextval(pg_get_serial_sequence('files', 'id'))::int as new_id
      from ${places}
      join files f on f.workspace_id = ${model.id} and f.folder_id = p.model_id and f.deleted_at is null
        and f.id = any(${ids}::int[])
      join file_versions v on v.workspace_id = f.workspace_id and v.file_id = f.id and v.version = f.version
    ), document as materialized (
      select d.* from documents d where d.workspace_id = ${model.id} and d.blob_id in (select blob_id from source)
        and d.status not in ('Pending', 'Processing') and not d.held and d.infected is distinct from true
        and d.damage is null
      order by d.blob_id for share
    ), fresh as (
      insert into documents (workspace_id, blob_id, content_type, status, reason, page_widths, page_heights,
        converted_blob_id, converted_type, infected, scanned_at, checked_at)
      select ${workspace.id}::int, blob_id, content_type, status, reason, page_widths, page_heights, converted_blob_id,
        converted_type, infected, scanned_at, checked_at from document
      on conflict do nothing returning blob_id
    ), texts as (
      insert into document_texts (workspace_id, blob_id, part, text, words)
      select ${workspace.id}::int, t.blob_id, t.part, t.text, t.words
      from fresh d join document_texts t on t.workspace_id = ${model.id} and t.blob_id = d.blob_id
    ), terms as (
      insert into document_terms (workspace_id, blob_id, terms)
      select ${workspace.id}::int, t.blob_id, t.terms
      from fresh d join document_terms t on t.workspace_id = ${model.id} and t.blob_id = d.blob_id
    ), taken as materialized (
      select s.*, d.status, cardinality(d.page_widths) as page_count, d.infected as is_infected
      from source s join document d on d.blob_id = s.blob_id
    ), filed as (
      insert into files (workspace_id, id, folder_id, title, file_name, index, file_size, file_content_type, sha256,
        blob_id, pages, infected, viewer_status, number_length)
      select ${workspace.id}::int, new_id, new_folder_id, title, file_name, index, file_size, file_content_type, sha256,
        blob_id, page_count, is_infected, status, number_length from taken
    ), versioned as (
      insert into file_versions (workspace_id, file_id, version, blob_id, file_size, file_content_type, sha256, crc32,
        uploaded_by_id)
      select ${workspace.id}::int, new_id, 1, blob_id, file_size, file_content_type, sha256, crc32,
        ${workspace.actor.id}::int from taken
    )
    select count(*)::int as files from taken`.execute(db)
  return rows[0]?.files ?? 0
}
